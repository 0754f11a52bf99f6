import Glibc

StandardDescriptors.reserve()
Interrupts.install()
ProcessLocale.adopt()
exit(Program.run())
