import Glibc

// First, so that no file opened later gets the number of a closed standard descriptor.
StandardDescriptors.reserve()
Interrupts.install()
ProcessLocale.adopt()
exit(Program.run())
