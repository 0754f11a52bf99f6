# A formula for Homebrew on Linux. Untested: it has never been installed by `brew`, and `url` and `sha256`
# are those of no release. ued needs Linux with glibc, so there is none for macOS.
class Ued < Formula
  desc "Line editor with the language of ed and an undo tree"
  homepage "https://ued.invalid"
  url "https://ued.invalid/releases/ued-1.0.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "pkgconf" => :build
  depends_on "swift" => :build
  depends_on "libedit"
  depends_on :linux
  depends_on "ncurses"
  depends_on "sqlite"
  depends_on "xxhash"
  depends_on "zlib"

  def install
    # `make build` would call apt-get. The libraries of `linkerSettings` in Package.swift are Debian's archives:
    # those that are not found in the folders of Homebrew have to be named there as shared ones.
    ENV["UED_COMMIT"] = File.read("packaging/commit")[/\A\h{9}/].to_s
    system "swift", "build", "-c", "release", "--disable-sandbox", "--static-swift-stdlib", "--product", "ued"
    system "make", "install", "PREFIX=#{prefix}", "--assume-old=.build/release/ued"
  end

  test do
    (testpath/"file").write "one\n"
    system bin/"ued", "-i", "-e", "s/one/two/", "file"
    assert_equal "two\n", (testpath/"file").read
  end
end
