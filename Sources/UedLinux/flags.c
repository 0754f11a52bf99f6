#include "UedLinux.h"

#include <linux/fs.h>
#include <sys/ioctl.h>

_Static_assert(
    clinux_kept_flags == (FS_SECRM_FL | FS_UNRM_FL | FS_COMPR_FL | FS_SYNC_FL | FS_NODUMP_FL |
                          FS_NOATIME_FL | FS_NOCOMP_FL | FS_JOURNAL_DATA_FL | FS_NOTAIL_FL |
                          FS_NOCOW_FL),
    "the numbers in the header are those of Linux");

int clinux_get_flags(int file, int *flags) { return ioctl(file, FS_IOC_GETFLAGS, flags); }

int clinux_set_flags(int file, int flags) { return ioctl(file, FS_IOC_SETFLAGS, &flags); }
