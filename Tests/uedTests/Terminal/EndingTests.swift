import Differential
import Glibc
import Testing

@testable import ued

/// How the program at a terminal takes signals and ends of the input.
@Suite struct EndingTests {
  @Test func `an interrupt gives up the line, at every kind of prompt`() {
    let sitting = Sitting(["f"], files: ["f": "one\ntwo\n"])
    sitting.at("2: ", type: "d")
    sitting.control("C")
    sitting.at("\n2: ", type: "a\r")
    sitting.at("3> ", type: "x")
    sitting.control("C")
    sitting.sees("interrupted; the text is as it was before the command\r\n")
    sitting.at("2: ", type: "c\r")
    sitting.sees("2> ")
    sitting.control("C")
    sitting.sees("interrupted; the text is as it was before the command\r\n")
    sitting.at("2: ", type: "a\r")
    sitting.at("3> ", type: "three\r")
    sitting.at("4> ", type: "x")
    sitting.control("C")
    sitting.at("\n3*: ", type: "d\r")
    sitting.at("\n2*: ", type: "G/t/\r")
    sitting.sees("2? ")
    sitting.control("C")
    sitting.at("2*: ", type: "1,2edit\r")
    sitting.at("1> ", type: "!\r")
    sitting.at("2> ", type: "?")
    sitting.control("C")
    sitting.at("2*: ", type: "w\r")
    sitting.at("\n2: ", type: "q\r")
    #expect(sitting.ending() == 0)
    #expect(sitting.file("f") == "one!\ntwo\n")
  }

  @Test func `the end of the input ends what is asked for`() {
    let sitting = Sitting(["f"], files: ["f": "one\ntwo\n"])
    sitting.at("2: ", type: "a\r")
    sitting.at("3> ", type: "three\r")
    sitting.at("4> ", type: "\u{4}")
    sitting.at("\n3*: ", type: "G/t/\r")
    sitting.at("2? ", type: "\u{4}")
    sitting.at(": ", type: "g/one/\\\r")
    sitting.at("... ", type: "\u{4}")
    sitting.at(": ", type: "1edit\r")
    sitting.at("1> ", type: "\u{15}\u{4}")
    sitting.at("1*: ", type: "\u{4}")
    sitting.sees("there are unsaved changes")
    sitting.at("1*: ", type: "\u{4}")
    #expect(sitting.ending() == 2)
    #expect(sitting.file("f") == "one\ntwo\n")
    #expect(sitting.isCooked)
  }

  @Test func `the end of the input ends a session in which all is saved`() {
    let sitting = Sitting(["f"], files: ["f": "one\n"])
    sitting.at("1: ", type: "\u{4}")
    #expect(sitting.ending() == 0)
    #expect(sitting.isCooked)
  }

  @Test(arguments: [("r pipe", "reading"), ("w pipe", "writing")])
  func `long work shows that it goes on, and can be interrupted`(
    command: String, words: String
  ) {
    let sitting = Sitting(["f"], files: ["f": "one\ntwo\n"])
    sitting.at("2: ", type: "!mkfifo pipe\r")
    sitting.at("!\r\n2: ", type: command + "\r")
    sitting.sees("\(words): 1 s")
    sitting.control("C")
    sitting.sees("interrupted; ", "2: ")
    sitting.type("q\r")
    #expect(sitting.ending() == 0)
  }

  @Test func `reading something without end can be interrupted`() {
    let sitting = Sitting(["f"], files: ["f": "one\n"])
    sitting.at("1: ", type: "r /dev/urandom\r")
    sitting.sees("reading: 1 s")
    sitting.control("C")
    sitting.sees("interrupted; the text is as it was before the command\r\n")
    sitting.at("1: ", type: "q\r")
    #expect(sitting.ending() == 0)
  }

  @Test(arguments: ["g/x\\|a/s/#/&&/", ",s/#/&&/", "g/#/d", "v/#/d", "/#/d", "?#?d"])
  func `a command that is interrupted leaves the text as it was`(command: String) {
    let line = String(repeating: "a", count: 40) + "\n"
    let sitting = Sitting(["f"], files: ["f": "x\n" + String(repeating: line, count: 3000)])
    // Every line takes some milliseconds, since there are many ways not to match.
    let slow = "\\(a*\\)\\(a*\\)\\1b\\{0,1\\}xx"
    let words = command.split(separator: "#", omittingEmptySubsequences: false)
    sitting.at("3001: ", type: words.joined(separator: slow) + "\r")
    sitting.sees("working: 1 s")
    sitting.control("C")
    sitting.sees("interrupted; the text is as it was before the command\r\n")
    sitting.at("3001: ", type: "q\r")
    #expect(sitting.ending() == 0)
  }

  @Test(arguments: [SIGHUP, SIGTERM])
  func `hanging up saves the text, and leaves the terminal in order`(signal: Int32) {
    let sitting = Sitting(["f"], files: ["f": "one\n"])
    sitting.at("1: ", type: "a\r")
    sitting.at("2> ", type: "two\r")
    sitting.at("3> ", type: ".\r")
    sitting.at("2*: ", type: "half a line")
    sitting.sees("half a line")
    sitting.send(signal)
    let ending = sitting.ending()
    #expect(ending == (signal == SIGTERM ? -SIGTERM : 0))
    #expect(sitting.file("ed.hup") == "one\ntwo\n")
    #expect(sitting.isCooked)
  }

  @Test(arguments: ["r pipe", "w pipe", "g/x\\|a/s/\\(a*\\)\\(a*\\)\\1b\\{0,1\\}xx/&&/"])
  func `hanging up ends a command that goes on, and saves the text before it`(command: String) {
    let text = String(repeating: String(repeating: "a", count: 40) + "\n", count: 3000)
    let sitting = Sitting(["f"], files: ["f": "y\n" + text])
    sitting.at("3001: ", type: "!mkfifo pipe\r")
    sitting.at("!\r\n3001: ", type: "1d\r")
    sitting.at("\n1*: ", type: command + "\r")
    sitting.sees(": 1 s")
    sitting.send(SIGHUP)
    sitting.send(SIGHUP)
    #expect(sitting.ending() == 0)
    #expect(sitting.file("ed.hup") == text)
  }

  @Test(arguments: [SIGABRT, SIGALRM, SIGPWR, SIGSEGV, SIGTRAP, SIGUSR1, SIGXCPU, 34, 64])
  func `whatever kills the program leaves the terminal in order`(signal: Int32) {
    let sitting = Sitting()
    sitting.at("0: ", type: "ab")
    sitting.sees("ab")
    #expect(!sitting.isCooked)
    sitting.send(signal)
    #expect(sitting.ending() == -signal)
    #expect(sitting.isCooked)
  }

  @Test func `a stop gives the terminal to the shell, and the line comes back`() {
    let sitting = Sitting(
      ["--norc", "--noprofile", "-i"], files: ["f": "one\n"], environment: ["PS1": "shell$ "],
      program: "/bin/bash")
    sitting.at("shell$ ", type: "$UED f\r")
    sitting.at("1: ", type: "s/o")
    sitting.sees("s/o")
    sitting.control("Z")
    sitting.sees("Stopped")
    sitting.at("shell$ ", type: "stty -a\r")
    let settings = sitting.sees("shell$ ").split { $0 == " " || $0.isNewline }
    #expect(settings.contains("icanon") && settings.contains("echo"))
    sitting.type("fg\r")
    sitting.sees("f\r\n", "1: s/o")
    sitting.type("/0/p\r")
    sitting.sees("\r\n0ne\r\n")
    sitting.at("1*: ", type: "Q\r")
    sitting.at("shell$ ", type: "exit 3\r")
    #expect(sitting.ending() == 3)
  }

  @Test func `a stop does nothing where nobody could let the program go on`() {
    let sitting = Sitting(["f"], files: ["f": "one\n"])
    sitting.at("1: ", type: "w g")
    sitting.sees("w g")
    sitting.control("Z")
    sitting.type("\r")
    sitting.at("\n4\r\n", type: "q\r")
    #expect(sitting.ending() == 0)
    #expect(sitting.file("g") == "one\n")
  }

  @Test func `a new width shows the line anew`() {
    let sitting = Sitting(["f"], files: ["f": "one\n"], columns: 30)
    let long = String(repeating: "0123456789", count: 6)
    sitting.at("1: ", type: "s/one/\(long)/")
    sitting.sees("789/")
    sitting.resize(columns: 70)
    sitting.sees("1: s/one/\(long)/")
    sitting.resize(columns: 20)
    sitting.sees("1: s/one/")
    sitting.type("\r")
    sitting.at("1*: ", type: "w\r")
    sitting.sees("61")
    #expect(sitting.file("f") == long + "\n")
  }
}
