/* files.c - romfs:/, sdmc:/ and mounted devices are folders of this machine: for the C library's calls (host.mk wraps
 * them) and for the system's. Paths without a device are on the card; none leads out of its folder. Part of pica200, MIT
 * License. */
#define _GNU_SOURCE
#include "host.h"
#include "newlib.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LONGEST = 4096, NO_SUCH_FILE = (int)0xC8804478, NO_ROMFS = (int)0xD8C3FBFB };

/* --- Paths ---------------------------------------------------------------------- */

static char made_card[64];

/* The card of a console with homebrew has this folder. */
static const char *card(void) {
    char folder[sizeof made_card + 4];
    if (host_option.sdmc) return host_option.sdmc;
    snprintf(made_card, sizeof made_card, "/tmp/pica200-sdmc-XXXXXX");
    if (mkdtemp(made_card) == NULL) host_stop(NULL, "no folder for sdmc: can be made (%s); --sdmc FOLDER gives one", strerror(errno));
    snprintf(folder, sizeof folder, "%s/3ds", made_card), __real_mkdir(folder, 0777);
    return host_option.sdmc = made_card;
}

int __real_remove(const char *), __real_stat(const char *, struct stat *);
void __real_free(void *);
static int gone(const char *path, const struct stat *s, int flag, struct FTW *at) { return (void)s, (void)flag, (void)at, __real_remove(path); }
void host_card_away(void) {
    if (*made_card) nftw(made_card, gone, 16, FTW_DEPTH | FTW_PHYS);
    *made_card = 0;
}

/* Devices; their folder is one of another device. */
static struct device { char name[32]; bool romfs; } devices[16] = {{"romfs", true}, {"sdmc", false}};
static char here[LONGEST] = "sdmc:/"; /* the current folder */

static struct device *device(const char *name, size_t length) {
    for (int i = 0; i < 16; i++)
        if (*devices[i].name && strncmp(devices[i].name, name, length) == 0 && devices[i].name[length] == 0) return &devices[i];
    return NULL;
}

static bool has_romfs(void) {
    struct stat s;
    return host_option.romfs && __real_stat(host_option.romfs, &s) == 0;
}

static Result mount(const char *name, bool romfs, Result failed) {
    size_t n = strlen(name);
    struct device *d = device(name, n);
    for (int i = 0; d == NULL && i < 16; i++)
        if (*devices[i].name == 0) d = &devices[i];
    if (d == NULL || n >= sizeof d->name || (romfs && !has_romfs())) return failed;
    memcpy(d->name, name, n + 1), d->romfs = romfs;
    return 0;
}

/* Resolves a path of the console: "." and "..", the current folder, the device. Writes the path on this machine to real,
 * "" if there is no such device, and to full, unless that is NULL, the console's. */
static void resolve(const char *path, char real[LONGEST], char full[LONGEST]) {
    char whole[2 * LONGEST], kept[LONGEST] = "";
    const char *colon = strchr(path, ':'), *slash = strchr(path, '/');
    bool named = colon && (slash == NULL || colon < slash);
    if (named) snprintf(whole, sizeof whole, "%s", path);
    else if (*path == '/') snprintf(whole, sizeof whole, "%.*s:%s", (int)(strchr(here, ':') - here), here, path);
    else snprintf(whole, sizeof whole, "%s/%s", here, path);
    colon = strchr(whole, ':');
    struct device *d = device(whole, (size_t)(colon - whole));
    *real = 0;
    if (d == NULL) return;
    if (d->romfs && host_option.romfs == NULL) host_stop(NULL, "%s: no folder was given for romfs: (--romfs FOLDER)", path);
    for (char *rest = (char *)colon + 1, *part; (part = strtok_r(rest, "/", &rest));) {
        if (strcmp(part, ".") == 0) continue;
        char *end = strrchr(kept, '/');
        if (strcmp(part, "..") == 0) { if (end) *end = 0; }
        else if (strlen(kept) + strlen(part) + 2 < sizeof kept) strcat(strcat(kept, "/"), part);
    }
    int n = snprintf(real, LONGEST, "%s%s", d->romfs ? host_option.romfs : card(), kept), m = full ? snprintf(full, LONGEST, "%s:%s", d->name, *kept ? kept : "/") : 0;
    if (n >= LONGEST || m >= LONGEST) *real = 0;
}

static const char *real_path(const char *path, char *to) {
    if (path == NULL) return NULL;
    resolve(path, to, NULL);
    return to;
}
#define REAL(path) real_path(path, (char[LONGEST]){0})

/* --- The C library's calls ------------------------------------------------------ */

FILE *__real_fopen64(const char *, const char *), *__real_freopen(const char *, const char *, FILE *);
int __real_openat(int, const char *, int, ...), __real_open(const char *, int, ...), __real_open64(const char *, int, ...), __real_lstat(const char *, struct stat *);
int __real_access(const char *, int), __real_rmdir(const char *), __real_unlink(const char *), __real_rename(const char *, const char *), __real_truncate(const char *, off_t);

FILE *__wrap_fopen(const char *path, const char *mode) { return __real_fopen(REAL(path), mode); }
FILE *__wrap_fopen64(const char *path, const char *mode) { return __real_fopen64(REAL(path), mode); }
FILE *__wrap_freopen(const char *path, const char *mode, FILE *f) { return __real_freopen(REAL(path), mode, f); }
int __wrap_stat(const char *path, struct stat *s) { return __real_stat(REAL(path), s); }
int __wrap_lstat(const char *path, struct stat *s) { return __real_lstat(REAL(path), s); }
int __wrap_access(const char *path, int mode) { return __real_access(REAL(path), mode); }
int __wrap_mkdir(const char *path, mode_t mode) { return __real_mkdir(REAL(path), mode); }
int __wrap_rmdir(const char *path) { return __real_rmdir(REAL(path)); }
int __wrap_remove(const char *path) { return __real_remove(REAL(path)); }
int __wrap_unlink(const char *path) { return __real_unlink(REAL(path)); }
int __wrap_rename(const char *from, const char *to) { return __real_rename(REAL(from), REAL(to)); }
int __wrap_truncate(const char *path, off_t size) { return __real_truncate(REAL(path), size); }

#define OPEN(name, arguments, real, ...)                     \
    int name(arguments, int flags, ...) {                    \
        va_list args;                                        \
        va_start(args, flags);                               \
        unsigned mode = flags & O_CREAT ? va_arg(args, unsigned) : 0; \
        va_end(args);                                        \
        return real(__VA_ARGS__, flags, mode);               \
    }
#define PATH const char *p
#define FOLDER_PATH int folder, PATH
OPEN(__wrap_open, PATH, __real_open, REAL(p))
OPEN(__wrap_open64, PATH, __real_open64, REAL(p))
OPEN(__wrap_openat, FOLDER_PATH, __real_openat, folder, folder == AT_FDCWD ? REAL(p) : p)

int __wrap_chdir(const char *path) {
    char real[LONGEST], full[LONGEST];
    struct stat s;
    resolve(path, real, full);
    if (__real_stat(real, &s) != 0) return -1;
    if (!S_ISDIR(s.st_mode)) return errno = ENOTDIR, -1;
    return memcpy(here, full, sizeof here), 0;
}
char *__wrap_getcwd(char *to, size_t room) {
    size_t n = strlen(here) + 1;
    if (to == NULL && (to = malloc(room = room > n ? room : n)) == NULL) return NULL;
    return n > room ? errno = ERANGE, NULL : memcpy(to, here, n);
}

/* Folders are read in the order of the names, which is the same on every machine. A DIR of the program is one of these. */
struct folder { DIR dir; DIR_ITER data; archive_dir_t last; struct dirent **of; int count, next, file; char path[LONGEST]; };
static int no_dots(const struct dirent *e) { return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0; }
static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }
static struct folder *open_folder(const char *real) {
    struct folder *f = calloc(1, sizeof *f);
    if (f == NULL) return NULL;
    if ((f->count = scandir(real, &f->of, no_dots, by_name)) < 0) return free(f), NULL;
    f->dir.dirData = &f->data, f->data.dirStruct = &f->last;
    return strcpy(f->path, real), f->file = -1, f;
}
static void close_folder(void *folder) {
    struct folder *f = folder;
    for (int i = 0; i < f->count; i++) __real_free(f->of[i]);
    if (f->file >= 0) close(f->file);
    __real_free(f->of), free(f);
}
DIR *__wrap_opendir(const char *path) { return (DIR *)open_folder(REAL(path)); }
/* The C++ library opens folders so. */
DIR *__wrap_fdopendir(int file) {
    char name[32], real[LONGEST] = "";
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    if (readlink(name, real, sizeof real - 1) < 0) return NULL;
    struct folder *f = open_folder(real);
    return f ? f->file = file, (DIR *)f : NULL;
}
int __wrap_dirfd(DIR *dir) {
    struct folder *f = (struct folder *)dir;
    return f->file >= 0 ? f->file : (f->file = __real_open(f->path, O_RDONLY | O_DIRECTORY));
}
/* Fills the system's entry of the next file; returns false if it cannot. */
static bool describe(const struct folder *f, FS_DirectoryEntry *to) {
    const struct dirent *e = f->of[f->next];
    char path[2 * LONGEST];
    struct stat s;
    snprintf(path, sizeof path, "%s/%s", f->path, e->d_name);
    memset(to, 0, sizeof *to);
    if (__real_stat(path, &s) != 0 || utf8_to_utf16(to->name, (const uint8_t *)e->d_name, sizeof to->name / 2 - 1) < 0) return false;
    to->attributes = S_ISDIR(s.st_mode) ? FS_ATTRIBUTE_DIRECTORY : FS_ATTRIBUTE_ARCHIVE;
    to->fileSize = S_ISDIR(s.st_mode) ? 0 : (u64)s.st_size, to->valid = 1;
    return true;
}
struct dirent *__wrap_readdir(DIR *dir) {
    struct folder *f = (struct folder *)dir;
    if (f->next == f->count) return NULL;
    return describe(f, f->last.entry_data), f->of[f->next++];
}
int __wrap_closedir(DIR *dir) { return close_folder(dir), 0; }
void __wrap_rewinddir(DIR *dir) { ((struct folder *)dir)->next = 0; }

/* Shared libraries of this machine call these; their paths are this machine's, but for those that name a device. */
static void *next_call(const char *name) { return dlsym(RTLD_NEXT, name); }
static const char *if_device(const char *path, char *to) {
    const char *colon = path ? strchr(path, ':') : NULL;
    return colon && device(path, (size_t)(colon - path)) ? real_path(path, to) : path;
}
#define SHARED(path) if_device(path, (char[LONGEST]){0})
FILE *fopen(const char *path, const char *mode) { return ((FILE *(*)(const char *, const char *))next_call("fopen"))(SHARED(path), mode); }
FILE *fopen64(const char *path, const char *mode) { return ((FILE *(*)(const char *, const char *))next_call("fopen64"))(SHARED(path), mode); }
OPEN(open, PATH, ((int (*)(const char *, int, ...))next_call("open")), SHARED(p))
OPEN(open64, PATH, ((int (*)(const char *, int, ...))next_call("open64")), SHARED(p))

/* No network: sockets and names fail, also those of shared libraries, but for sockets inside of this machine. */
int socket(int family, int type, int protocol) {
    enum { UNIX = 1 };
    if (family == UNIX) return (int)syscall(SYS_socket, family, type, protocol);
    return errno = ENETDOWN, -1;
}
int getaddrinfo(const char *name, const char *service, const void *hints, void **out) {
    enum { TRY_LATER = -3 };
    return (void)name, (void)service, (void)hints, *out = NULL, TRY_LATER;
}
void *gethostbyname(const char *name) { return (void)name, NULL; }
long gethostid(void) { return 0; }
int gethostname(char *name, size_t room) { return snprintf(name, room, "0.0.0.0"), 0; }

/* --- The system's ----------------------------------------------------------------- */

Result romfsMountSelf(const char *name) { return mount(name, true, NO_ROMFS); }
Result romfsMountFromCurrentProcess(const char *name) { return mount(name, true, NO_ROMFS); }
Result romfsUnmount(const char *name) { return (void)name, 0; }
Result archiveMount(FS_ArchiveID id, FS_Path path, const char *name) {
    return (void)path, id == ARCHIVE_SDMC || id == ARCHIVE_ROMFS ? mount(name, id == ARCHIVE_ROMFS, -1) : NO_SUCH_FILE;
}
Result archiveUnmount(const char *name) {
    struct device *d = device(name, strlen(name));
    if (d == NULL) return -1;
    if (d - devices > 1) *d->name = 0;
    return 0;
}
Result archive_getmtime(const char *path, u64 *out) {
    struct stat s;
    return __wrap_stat(path, &s) == 0 ? *out = (u64)s.st_mtime, 0 : -1;
}

static Result result(bool good) {
    if (good) return 0;
    return errno == ENOENT || errno == ENOTDIR ? NO_SUCH_FILE : errno == EEXIST ? (Result)0xC82044BE : errno == ENOSPC ? (Result)0x86044D2 : (Result)0xE0E046BE;
}

/* Writes the real path of a path in an archive, whose handle is its ID. */
static const char *in_archive(FS_Archive archive, FS_Path path, char to[LONGEST]) {
    char text[LONGEST - 16] = "", whole[LONGEST];
    ssize_t n = path.size;
    if (path.type == PATH_UTF16) n = utf16_to_utf8((uint8_t *)text, path.data, sizeof text - 1);
    else if (path.type == PATH_ASCII) snprintf(text, sizeof text, "%.*s", (int)path.size, (const char *)path.data);
    else return "";
    if (n < 0 || n >= (ssize_t)sizeof text) return "";
    if (path.type == PATH_UTF16) text[n] = 0;
    snprintf(whole, sizeof whole, "%s:/%s", archive == ARCHIVE_ROMFS ? "romfs" : "sdmc", text);
    return real_path(whole, to);
}
#define IN(archive, path) in_archive(archive, path, (char[LONGEST]){0})

FS_Path fsMakePath(FS_PathType type, const void *path) {
    u32 size = 0;
    if (type == PATH_ASCII) size = (u32)strlen(path) + 1;
    else if (type == PATH_UTF16) while (size += 2, ((const u16 *)path)[size / 2 - 1]);
    else if (type == PATH_EMPTY) size = 1, path = "";
    return (FS_Path){type, size, path};
}
Result FSUSER_OpenArchive(FS_Archive *out, FS_ArchiveID id, FS_Path path) {
    (void)path;
    if (id != ARCHIVE_SDMC && id != ARCHIVE_SDMC_WRITE_ONLY && (id != ARCHIVE_ROMFS || !has_romfs())) return NO_SUCH_FILE;
    return *out = id == ARCHIVE_ROMFS ? ARCHIVE_ROMFS : ARCHIVE_SDMC, 0;
}

static void close_file(void *file) { close((int)(intptr_t)file - 1); }
Result FSUSER_OpenFile(Handle *out, FS_Archive archive, FS_Path path, u32 flags, u32 attributes) {
    (void)attributes;
    int file = __real_open(IN(archive, path), (flags & FS_OPEN_WRITE ? O_RDWR : O_RDONLY) | (flags & FS_OPEN_CREATE ? O_CREAT : 0), 0666);
    if (file < 0) return result(false);
    return *out = host_handle(HOST_FILE, (void *)(intptr_t)(file + 1), close_file), 0;
}
Result FSUSER_OpenFileDirectly(Handle *out, FS_ArchiveID id, FS_Path archive, FS_Path path, u32 flags, u32 attributes) {
    FS_Archive a;
    Result r = FSUSER_OpenArchive(&a, id, archive);
    return r ? r : FSUSER_OpenFile(out, a, path, flags, attributes);
}
Result FSUSER_CreateFile(FS_Archive archive, FS_Path path, u32 attributes, u64 size) {
    (void)attributes;
    int file = __real_open(IN(archive, path), O_WRONLY | O_CREAT | O_EXCL, 0666);
    bool good = file >= 0 && ftruncate(file, (off_t)size) == 0;
    Result r = result(good);
    if (file >= 0) close(file);
    return r;
}
Result FSUSER_DeleteFile(FS_Archive a, FS_Path path) { return result(__real_unlink(IN(a, path)) == 0); }
Result FSUSER_RenameFile(FS_Archive a, FS_Path from, FS_Archive b, FS_Path to) { return result(__real_rename(IN(a, from), IN(b, to)) == 0); }
Result FSUSER_RenameDirectory(FS_Archive a, FS_Path from, FS_Archive b, FS_Path to) { return FSUSER_RenameFile(a, from, b, to); }
Result FSUSER_CreateDirectory(FS_Archive a, FS_Path path, u32 attributes) { return (void)attributes, result(__real_mkdir(IN(a, path), 0777) == 0); }
Result FSUSER_DeleteDirectory(FS_Archive a, FS_Path path) { return result(__real_rmdir(IN(a, path)) == 0); }
Result FSUSER_DeleteDirectoryRecursively(FS_Archive a, FS_Path path) {
    const char *real = IN(a, path);
    return result(*real && nftw(real, gone, 16, FTW_DEPTH | FTW_PHYS) == 0);
}

static int file_of(Handle handle) { return (int)(intptr_t)host_data(handle, HOST_FILE) - 1; }
static Result read_or_written(u32 *done, ssize_t n) {
    if (done) *done = n < 0 ? 0 : (u32)n;
    return result(n >= 0);
}
Result FSFILE_Read(Handle file, u32 *done, u64 at, void *to, u32 size) {
    ssize_t n = pread(file_of(file), to, size, (off_t)at);
    return read_or_written(done, n);
}
Result FSFILE_Write(Handle file, u32 *done, u64 at, const void *from, u32 size, u32 flags) {
    ssize_t n = pwrite(file_of(file), from, size, (off_t)at);
    return (void)flags, read_or_written(done, n);
}
Result FSFILE_GetSize(Handle file, u64 *size) {
    struct stat s;
    bool good = fstat(file_of(file), &s) == 0;
    return *size = good ? (u64)s.st_size : 0, result(good);
}
Result FSFILE_SetSize(Handle file, u64 size) { return result(ftruncate(file_of(file), (off_t)size) == 0); }
Result FSFILE_Close(Handle file) { return svcCloseHandle(file); }

Result FSUSER_OpenDirectory(Handle *out, FS_Archive archive, FS_Path path) {
    struct folder *f = open_folder(IN(archive, path));
    if (f == NULL) return result(false);
    return *out = host_handle(HOST_FOLDER, f, close_folder), 0;
}
Result FSDIR_Read(Handle folder, u32 *done, u32 count, FS_DirectoryEntry *to) {
    struct folder *f = host_data(folder, HOST_FOLDER);
    u32 n = 0;
    for (; f && n < count && f->next < f->count; f->next++) n += describe(f, to + n);
    if (done) *done = n;
    return f ? 0 : (Result)0xD8E007F7;
}
Result FSDIR_Close(Handle folder) { return svcCloseHandle(folder); }
