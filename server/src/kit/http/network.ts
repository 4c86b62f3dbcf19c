import { isIPv4, isIPv6 } from 'node:net'

/** The networks that a caller's address belongs to, by which calls of one origin are counted together. */
export interface Network {
  /** an IPv4 address, or the /64 of an IPv6 address: a single line can change the rest at will */
  line: string
  /** the /24 of an IPv4 address, or the /48 of an IPv6 address (RFC 6177: what a site may get) */
  site: string
}

/** The eight groups of an IPv6 address; the URL standard writes every spelling in one way (RFC 5952). */
function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  if (tail === undefined) return groups(head)
  const missing = 8 - groups(head).length - groups(tail).length
  return [...groups(head), ...Array<number>(missing).fill(0), ...groups(tail)]
}

const networkOfV4 = (address: string): Network => ({
  line: address,
  site: `${address.split('.').slice(0, 3).join('.')}.0/24`,
})

/**
 * The networks of an address; an IPv4 address that arrived as `::ffff:192.0.2.1` is an IPv4 address. What is no
 * address at all, e.g. of a socket in the file system, is a network by itself.
 */
export function networkOf(ip: string): Network {
  if (isIPv4(ip)) return networkOfV4(ip)
  const address = ip.split('%')[0]!
  if (!isIPv6(address)) return { line: ip, site: ip }
  const groups = groupsOf(address)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return networkOfV4(
      groups
        .slice(6)
        .flatMap((group) => [group >> 8, group & 0xff])
        .join('.'),
    )
  const prefix = (length: number) =>
    `${groups
      .slice(0, length)
      .map((group) => group.toString(16))
      .join(':')}::`
  return { line: `${prefix(4)}/64`, site: `${prefix(3)}/48` }
}
