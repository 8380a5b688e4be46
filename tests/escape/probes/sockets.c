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
static int tcp_listen_unbound(void) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  return fd < 0 ? errno : outcome(listen(fd, 1));
}
static int tcp_fast_open(void) {
  struct sockaddr_in address = loopback("PORT");
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  return fd < 0 ? errno : outcome(sendto(fd, "x", 1, MSG_FASTOPEN, (void *)&address, sizeof address));
}
static int tcp_dirty(void) { return outcome(syscall(SYS_socket, (1L << 32) | AF_INET, (1L << 32) | SOCK_STREAM, 0)); }
static int mptcp(void) { return made(AF_INET, SOCK_STREAM, 262); }
static int tcp6(void) { return made(AF_INET6, SOCK_STREAM, 0); }
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
    {"tcp-dirty", tcp_dirty}, {"mptcp", mptcp}, {"tcp6", tcp6}, {"udp-send", udp_send},
    {"udp-sendmmsg", udp_sendmmsg}, {"udp6", udp6}, {"icmp", icmp}, {"raw", raw}, {"packet", packet},
    {"vsock", vsock}, {"alg", alg}, {"netlink-audit", audit}, {"netlink-uevent", uevent},
    {"netlink-generic", generic}, {"netlink-netfilter", netfilter}, {"netlink-diag", sock_diag},
    {"bluetooth", bluetooth}, {"unix-path", unix_path}, {"unix-abstract", unix_abstract},
    {"unix-seqpacket", unix_seqpacket}, {"unix-datagram", unix_datagram},
    {"unix-datagram-pair", unix_datagram_pair}, {"unix-raw", unix_raw}, {"unix-raw-pair", unix_raw_pair},
    {"unix-disconnect", disconnected}, {NULL, NULL}};
