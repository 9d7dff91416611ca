/*
 * Faults of the system for one process, loaded with LD_PRELOAD. Only files in the directory HEARTH_FAULTS_DIRECTORY are
 * affected. The file HEARTH_FAULTS_CONTROL is mapped, and holds the 64-bit numbers of `struct control`; the bench
 * writes the first ones and reads the others (shim.ts). The file HEARTH_FAULTS_JOURNAL receives what a power failure may
 * undo: see `record`.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct control {
  int64_t fail_writes;  /* 1: a write fails; 2: it is cut short */
  int64_t fail_syncs;   /* 1: a flush fails, after the kernel has taken the data */
  int64_t clock_offset; /* in seconds */
  int64_t fail_reads;   /* 1: the next access to a page of the mapped data file fails */
  int64_t keep_journal; /* 1: writes are recorded until they are flushed */
  int64_t ignore_syncs; /* 1: a flush reports success, but a power failure undoes what it should keep */
  int64_t failed_writes;
  int64_t failed_syncs;
  int64_t failed_reads;
  int64_t clock_reads;
};

static struct control off;
static volatile struct control *control = &off;
static const char *directory;
static size_t directory_length;
static int journal = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Whether a flush has failed since the journal was empty. */
static int has_lost;

/* The last mapping of the data file. */
static void *map_start;
static size_t map_length;

#define REAL(result, name, ...) \
  static result (*real)(__VA_ARGS__); \
  if (real == NULL) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

__attribute__((constructor)) static void open_files(void) {
  const char *path = getenv("HEARTH_FAULTS_CONTROL");
  directory = getenv("HEARTH_FAULTS_DIRECTORY");
  if (path == NULL || directory == NULL) return;
  directory_length = strlen(directory);
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) abort();
  void *mapped = mmap(NULL, sizeof off, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) abort();
  const char *journal_path = getenv("HEARTH_FAULTS_JOURNAL");
  if (journal_path != NULL) journal = open(journal_path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  control = mapped;
}

/* Writes the path of an open file, if it is in the directory. */
static int find_path(int fd, char *path) {
  if (control == &off) return 0;
  char name[40] = "/proc/self/fd/";
  char digits[12];
  int count = 0;
  unsigned number = (unsigned)fd;
  do digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) != 0);
  for (int at = 14; count > 0; at++) name[at] = digits[--count];
  long length = syscall(SYS_readlinkat, AT_FDCWD, name, path, PATH_MAX - 1);
  if (length <= (long)directory_length) return 0;
  path[length] = 0;
  return strncmp(path, directory, directory_length) == 0 && path[directory_length] == '/';
}

static int is_data_file(const char *path) { return strcmp(path + directory_length, "/data.mdb") == 0; }

enum { WRITE = 1, WRITTEN = 2, SYNCED = 3, SYNC_FAILED = 4 };

struct entry {
  int64_t kind;
  int64_t offset;
  int64_t length;
  int64_t size; /* of the file before the write */
};

/* Appends an entry; a write is followed by the bytes that it replaces, with zeros beyond the end of the file. */
static void record(int kind, int fd, off_t offset, size_t length) {
  if (journal < 0) return;
  struct entry entry = {kind, offset, (int64_t)length, 0};
  if (kind != WRITE) {
    if (syscall(SYS_write, journal, &entry, sizeof entry) != sizeof entry) abort();
    return;
  }
  char path[PATH_MAX];
  struct stat status;
  if (!find_path(fd, path) || fstat(fd, &status) != 0) abort();
  entry.size = status.st_size;
  char *bytes = calloc(1, sizeof entry + length);
  if (bytes == NULL) abort();
  memcpy(bytes, &entry, sizeof entry);
  /* The descriptor may be open for writing only. */
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (file < 0 || syscall(SYS_pread64, file, bytes + sizeof entry, length, offset) < 0) abort();
  syscall(SYS_close, file);
  if (syscall(SYS_write, journal, bytes, sizeof entry + length) != (long)(sizeof entry + length)) abort();
  free(bytes);
}

static size_t total(const struct iovec *parts, int count) {
  size_t length = 0;
  for (int index = 0; index < count; index++) length += parts[index].iov_len;
  return length;
}

/* Writes with the faults that are on. Returns 0 if the file is not affected. `offset` is -1 for the current one. */
static int write_with_faults(int fd, const struct iovec *parts, int count, off_t offset, ssize_t *result) {
  char path[PATH_MAX];
  if (control == &off || fd < 3 || !find_path(fd, path)) return 0;
  if (control->fail_writes == 1) {
    __atomic_add_fetch(&control->failed_writes, 1, __ATOMIC_SEQ_CST);
    errno = EIO;
    *result = -1;
    return 1;
  }
  if (control->fail_writes == 2 && total(parts, count) > 512) {
    __atomic_add_fetch(&control->failed_writes, 1, __ATOMIC_SEQ_CST);
    struct iovec half = {parts[0].iov_base, parts[0].iov_len / 2};
    *result = offset < 0 ? syscall(SYS_writev, fd, &half, 1) : syscall(SYS_pwritev, fd, &half, 1, offset, 0);
    return 1;
  }
  int is_sync = (fcntl(fd, F_GETFL) & O_DSYNC) != 0;
  int is_recorded = control->keep_journal && is_data_file(path);
  off_t at = offset < 0 ? lseek(fd, 0, SEEK_CUR) : offset;
  if (is_recorded) {
    pthread_mutex_lock(&lock);
    record(WRITE, fd, at, total(parts, count));
  }
  *result = offset < 0 ? syscall(SYS_writev, fd, parts, count) : syscall(SYS_pwritev, fd, parts, count, offset, 0);
  int code = errno;
  if (is_sync && control->fail_syncs) {
    __atomic_add_fetch(&control->failed_syncs, 1, __ATOMIC_SEQ_CST);
    *result = -1;
    code = EIO;
    has_lost = 1;
    if (is_recorded) record(SYNC_FAILED, fd, 0, 0);
  } else if (is_recorded && is_sync && !control->ignore_syncs) record(WRITTEN, fd, at, total(parts, count));
  if (is_recorded) pthread_mutex_unlock(&lock);
  errno = code;
  return 1;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  struct iovec part = {(void *)bytes, length};
  ssize_t result;
  if (write_with_faults(fd, &part, 1, -1, &result)) return result;
  return syscall(SYS_write, fd, bytes, length);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  ssize_t result;
  if (write_with_faults(fd, parts, count, -1, &result)) return result;
  return syscall(SYS_writev, fd, parts, count);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) {
  struct iovec part = {(void *)bytes, length};
  ssize_t result;
  if (write_with_faults(fd, &part, 1, offset, &result)) return result;
  return syscall(SYS_pwrite64, fd, bytes, length, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  return pwrite64(fd, bytes, length, offset);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset) {
  ssize_t result;
  if (write_with_faults(fd, parts, count, offset, &result)) return result;
  return syscall(SYS_pwritev, fd, parts, count, offset, 0);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  return pwritev64(fd, parts, count, offset);
}

static int sync_with_faults(int fd, long number) {
  char path[PATH_MAX];
  if (control == &off || !find_path(fd, path)) return (int)syscall(number, fd);
  int is_recorded = control->keep_journal && is_data_file(path);
  if (is_recorded) {
    /* A real disk takes its time, in which power may fail. */
    struct timespec pause = {0, 2000000};
    nanosleep(&pause, NULL);
    pthread_mutex_lock(&lock);
  }
  int result = control->ignore_syncs ? 0 : (int)syscall(number, fd);
  int code = errno;
  if (control->fail_syncs) {
    __atomic_add_fetch(&control->failed_syncs, 1, __ATOMIC_SEQ_CST);
    has_lost = 1;
    result = -1;
    code = EIO;
    if (is_recorded) record(SYNC_FAILED, fd, 0, 0);
  } else if (is_recorded && result == 0 && !control->ignore_syncs) {
    /* After a failed flush, the kernel forgets what it could not write, so the journal still needs its entries. */
    if (has_lost) record(SYNCED, fd, 0, 0);
    else if (journal >= 0 && ftruncate(journal, 0) != 0) abort();
  }
  if (is_recorded) pthread_mutex_unlock(&lock);
  errno = code;
  return result;
}

int fdatasync(int fd) { return sync_with_faults(fd, SYS_fdatasync); }

int fsync(int fd) { return sync_with_faults(fd, SYS_fsync); }

void *mmap64(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  void *mapped = (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
  char path[PATH_MAX];
  if (mapped == MAP_FAILED || control == &off || fd < 3 || !find_path(fd, path)) return mapped;
  if (is_data_file(path)) {
    map_length = length;
    map_start = mapped;
  }
  return mapped;
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  return mmap64(address, length, protection, flags, fd, offset);
}

/* Replaces the mapping of the data file by one of an empty file: an access ends the process, as a read error does. */
static void break_reads(void) {
  if (map_start == NULL || __atomic_exchange_n(&control->fail_reads, 0, __ATOMIC_SEQ_CST) == 0) return;
  int empty = memfd_create("broken", MFD_CLOEXEC);
  if (empty < 0) return;
  if (syscall(SYS_mmap, map_start, map_length, PROT_READ, MAP_SHARED | MAP_FIXED, empty, 0) != -1)
    __atomic_add_fetch(&control->failed_reads, 1, __ATOMIC_SEQ_CST);
  close(empty);
}

int clock_gettime(clockid_t id, struct timespec *time) {
  REAL(int, "clock_gettime", clockid_t, struct timespec *);
  int result = real(id, time);
  if (control->fail_reads) break_reads();
  if (result == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) && control->clock_offset != 0) {
    time->tv_sec += control->clock_offset;
    __atomic_add_fetch(&control->clock_reads, 1, __ATOMIC_SEQ_CST);
  }
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  REAL(int, "gettimeofday", struct timeval *, void *);
  int result = real(time, zone);
  if (result == 0 && control->clock_offset != 0) {
    time->tv_sec += control->clock_offset;
    __atomic_add_fetch(&control->clock_reads, 1, __ATOMIC_SEQ_CST);
  }
  return result;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != NULL) *result = now.tv_sec;
  return now.tv_sec;
}
