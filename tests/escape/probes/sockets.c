/* Ways out by a socket. PORT and UDP_PORT lead to listeners of the test on 127.0.0.1, SOCK and @SOCK to unix ones. */
#include "probe.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static int made(int family, int type, int protocol) { return outcome(socket(family, type, protocol)); }
static struct sockaddr_in loopback(const char *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(given(port)))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}
static int tcp_connect(void) {
  struct sockaddr_in address = loopback("PORT");
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  return fd < 0 ? errno : outcome(connect(fd, (void *)&address, sizeof address));
}
/* 0 when a socket listens where others can reach it, EACCES when it was given an address of the machine's own. */
static int exposed(int fd) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (fd < 0 || listen(fd, 1) < 0) return errno;
  if (getsockname(fd, (void *)&address, &length) < 0) return 211;
  if (address.ss_family == AF_INET)
    return ((struct sockaddr_in *)&address)->sin_addr.s_addr == htonl(INADDR_LOOPBACK) ? EACCES : 0;
  const struct in6_addr *six = &((struct sockaddr_in6 *)&address)->sin6_addr;
  if (IN6_IS_ADDR_LOOPBACK(six)) return EACCES;
  return IN6_IS_ADDR_V4MAPPED(six) && six->s6_addr[12] == 127 ? EACCES : 0;
}
static int tcp_listen_unbound(void) { return exposed(socket(AF_INET, SOCK_STREAM, 0)); }
static int tcp6_listen_unbound(void) { return exposed(socket(AF_INET6, SOCK_STREAM, 0)); }
static int bound(int family, const void *address, size_t length) {
  int fd = socket(family, SOCK_STREAM, 0);
  return fd < 0 || bind(fd, address, length) < 0 ? errno : exposed(fd);
}
static int tcp_bind_any(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  return bound(AF_INET, &address, sizeof address);
}
static int tcp6_bind_any(void) {
  struct sockaddr_in6 address = {.sin6_family = AF_INET6};
  return bound(AF_INET6, &address, sizeof address);
}
static int tcp6_bind_mapped_any(void) {
  struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr.s6_addr = {[10] = 0xff, [11] = 0xff}};
  return bound(AF_INET6, &address, sizeof address);
}
/* Off the loopback address again, and then listening: connect to nobody, disconnect, listen. */
static int tcp_listen_disconnected(void) {
  struct sockaddr_in address = loopback("PORT");
  struct sockaddr none = {.sa_family = AF_UNSPEC};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) return errno;
  connect(fd, (void *)&address, sizeof address);
  if (connect(fd, &none, sizeof none) < 0) return errno;
  return exposed(fd);
}
static int connect_six(int last, int mapped, const char *port) {
  struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(atoi(given(port)))};
  if (mapped) memcpy(address.sin6_addr.s6_addr, (unsigned char[16]){[10] = 0xff, [11] = 0xff, [12] = 127}, 16);
  address.sin6_addr.s6_addr[15] = last;
  int fd = socket(AF_INET6, SOCK_STREAM, 0);
  return fd < 0 ? errno : outcome(connect(fd, (void *)&address, sizeof address));
}
static int tcp6_mapped(void) { return connect_six(1, 1, "PORT"); }
static int tcp_zero(void) {
  struct sockaddr_in address = loopback("PORT");
  address.sin_addr.s_addr = 0;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  return fd < 0 ? errno : outcome(connect(fd, (void *)&address, sizeof address));
}
static int tcp_after_disconnect(void) {
  struct sockaddr_in address = loopback("PORT");
  struct sockaddr none = {.sa_family = AF_UNSPEC};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, &none, sizeof none) < 0) return errno;
  return outcome(connect(fd, (void *)&address, sizeof address));
}
static int tcp_fast_open(void) {
  struct sockaddr_in address = loopback("PORT");
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  return fd < 0 ? errno : outcome(sendto(fd, "x", 1, MSG_FASTOPEN, (void *)&address, sizeof address));
}
static int tcp_dirty(void) {
  struct sockaddr_in address = loopback("PORT");
  long fd = syscall(SYS_socket, (1L << 32) | AF_INET, (1L << 32) | SOCK_STREAM, 0);
  return fd < 0 ? errno : outcome(syscall(SYS_connect, (1L << 32) | fd, &address, (1L << 32) | sizeof address));
}
static int option(int family, int level, int name, const void *value, size_t length) {
  int fd = socket(family, SOCK_STREAM, 0);
  return fd < 0 ? errno : outcome(setsockopt(fd, level, name, value, length));
}
/* A connection to an own server would leave the machine towards 192.0.2.1, with 32 bytes of the sender's choice. */
static int source_route(void) {
  unsigned char route[] = {131, 11, 4, 192, 0, 2, 1, 127, 0, 0, 1, 0};
  return option(AF_INET, IPPROTO_IP, 4, route, sizeof route);
}
static int unicast_device(void) {
  int device = htonl(1);
  return option(AF_INET, IPPROTO_IP, 50, &device, sizeof device);
}
static int bound_device(void) { return option(AF_INET, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3); }
static int later_connection(void) {
  int on = 1;
  return option(AF_INET, IPPROTO_TCP, 30, &on, sizeof on);
}
static int mptcp(void) { return made(AF_INET, SOCK_STREAM, 262); }
static int udp_send(void) {
  struct sockaddr_in address = loopback("UDP_PORT");
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  return fd < 0 ? errno : outcome(sendto(fd, "x", 1, 0, (void *)&address, sizeof address));
}
static int udp_sendmmsg(void) {
  struct sockaddr_in address = loopback("UDP_PORT");
  struct iovec data = {"x", 1};
  struct mmsghdr message = {.msg_hdr = {.msg_name = &address, .msg_namelen = sizeof address, .msg_iov = &data, .msg_iovlen = 1}};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  return fd < 0 ? errno : outcome(sendmmsg(fd, &message, 1, 0));
}
static int udp6(void) { return made(AF_INET6, SOCK_DGRAM, 0); }
static int icmp(void) { return made(AF_INET, SOCK_DGRAM, IPPROTO_ICMP); }
static int raw(void) { return made(AF_INET, SOCK_RAW, IPPROTO_ICMP); }
static int packet(void) { return made(AF_PACKET, SOCK_RAW, 0); }
static int vsock(void) { return made(40, SOCK_STREAM, 0); }
static int alg(void) { return made(38, SOCK_SEQPACKET, 0); }
static int audit(void) { return made(AF_NETLINK, SOCK_RAW, 9); }
static int uevent(void) { return made(AF_NETLINK, SOCK_RAW, 15); }
static int generic(void) { return made(AF_NETLINK, SOCK_RAW, 16); }
static int netfilter(void) { return made(AF_NETLINK, SOCK_RAW, 12); }
static int sock_diag(void) { return made(AF_NETLINK, SOCK_RAW, 4); }
static int bluetooth(void) { return made(31, SOCK_RAW, 1); }

/* Connect to a unix socket of someone else: NAME begins with "@" for an abstract one. */
static int connect_unix(int type, const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, name, sizeof address.sun_path - 1);
  size_t length = offsetof(struct sockaddr_un, sun_path) + strlen(name) + (name[0] != '@');
  if (name[0] == '@') address.sun_path[0] = 0;
  int fd = socket(AF_UNIX, type, 0);
  return fd < 0 ? errno : outcome(connect(fd, (void *)&address, length));
}
static int unix_path(void) { return connect_unix(SOCK_STREAM, given("SOCK")); }
static int unix_abstract(void) { return connect_unix(SOCK_STREAM, given("ABSTRACT")); }
static int unix_seqpacket(void) { return made(AF_UNIX, SOCK_SEQPACKET, 0); }
static int unix_datagram(void) { return connect_unix(SOCK_DGRAM, given("DGRAM")); }
static int unix_datagram_pair(void) {
  int ends[2];
  return outcome(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
}
/* A raw unix socket is a datagram one under another name: net/unix/af_unix.c, unix_create. */
static int unix_raw(void) { return made(AF_UNIX, SOCK_RAW, 0); }
static int unix_raw_pair(void) {
  int ends[2];
  return outcome(socketpair(AF_UNIX, SOCK_RAW, 0, ends));
}
static int disconnected(void) {
  struct sockaddr address = {.sa_family = AF_UNSPEC};
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return 211;
  /* A stream socket cannot be taken off its peer: EINVAL is the kernel's own answer. */
  return outcome(connect(ends[0], &address, sizeof address));
}

const struct probe socket_probes[] = {
    {"tcp-connect", tcp_connect}, {"tcp-listen-unbound", tcp_listen_unbound}, {"tcp-fast-open", tcp_fast_open},
    {"source-route", source_route}, {"unicast-device", unicast_device}, {"bound-device", bound_device},
    {"later-connection", later_connection}, {"tcp-dirty", tcp_dirty}, {"mptcp", mptcp}, {"tcp6-mapped", tcp6_mapped}, {"tcp-zero", tcp_zero},
    {"tcp-after-disconnect", tcp_after_disconnect}, {"tcp6-listen-unbound", tcp6_listen_unbound},
    {"tcp-bind-any", tcp_bind_any}, {"tcp6-bind-any", tcp6_bind_any}, {"tcp6-bind-mapped-any", tcp6_bind_mapped_any},
    {"tcp-listen-disconnected", tcp_listen_disconnected}, {"udp-send", udp_send},
    {"udp-sendmmsg", udp_sendmmsg}, {"udp6", udp6}, {"icmp", icmp}, {"raw", raw}, {"packet", packet},
    {"vsock", vsock}, {"alg", alg}, {"netlink-audit", audit}, {"netlink-uevent", uevent},
    {"netlink-generic", generic}, {"netlink-netfilter", netfilter}, {"netlink-diag", sock_diag},
    {"bluetooth", bluetooth}, {"unix-path", unix_path}, {"unix-abstract", unix_abstract},
    {"unix-seqpacket", unix_seqpacket}, {"unix-datagram", unix_datagram},
    {"unix-datagram-pair", unix_datagram_pair}, {"unix-raw", unix_raw}, {"unix-raw-pair", unix_raw_pair},
    {"unix-disconnect", disconnected}, {NULL, NULL}};
