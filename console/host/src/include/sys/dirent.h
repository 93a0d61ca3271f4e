/* sys/dirent.h - where the console's C library has folders. Part of pica200, MIT License. */
#include <dirent.h>
