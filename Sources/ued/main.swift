import Glibc

Interrupts.install()
ProcessLocale.adopt()
exit(Program.run())
