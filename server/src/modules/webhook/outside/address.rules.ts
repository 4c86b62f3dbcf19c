import { BlockList, isIP } from 'node:net'

const V4_INSIDE: readonly (readonly [net: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // carriers' own networks (RFC 6598)
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  // documentation (RFC 5737), and the relays of 6to4
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  // benchmarks (RFC 2544)
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // multicast, reserved, broadcast
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

// Of IPv6 only what is routed on the internet counts (RFC 4291, global unicast): local, link-local, mapped, translated
// and multicast addresses all lie elsewhere. Of that range, these are not ordinary hosts.
const V6_OUTSIDE = ['2000::', 3] as const
const V6_INSIDE: readonly (readonly [net: string, bits: number])[] = [
  // protocols such as Teredo, which carries an IPv4 address
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4, which carries one too
  ['2002::', 16],
  ['3fff::', 20],
]

const inside = new BlockList()
for (const [net, bits] of V4_INSIDE) inside.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of V6_INSIDE) inside.addSubnet(net, bits, 'ipv6')
const outside = new BlockList()
outside.addSubnet(...V6_OUTSIDE, 'ipv6')

/** True for an address of the internet: no network of a house, no machine of its own, nothing with a special use. */
export function isOutside(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !inside.check(address, 'ipv4')
  return family === 6 && !address.includes('%') && outside.check(address, 'ipv6') && !inside.check(address, 'ipv6')
}

/** Addresses and ranges of the settings as one list. */
export function netsOf(ranges: readonly string[]): BlockList {
  const nets = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) nets.addAddress(address, family)
    else nets.addSubnet(address, Number(bits), family)
  }
  return nets
}

/** True where a message may go: outside, or into one of the nets that the settings open. */
export function mayBeReached(address: string, nets: BlockList): boolean {
  const family = isIP(address)
  return isOutside(address) || (family !== 0 && nets.check(address, family === 6 ? 'ipv6' : 'ipv4'))
}

export type AddressFault = 'webhook_address' | 'webhook_port' | 'webhook_inside'

/** The host of an address as the network knows it: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/** What is wrong with an address before anybody is asked where it leads. */
export function faultOfAddress(text: string, nets: BlockList): AddressFault | null {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.hash !== '')
    return 'webhook_address'
  // An empty port is 443.
  if (url.port !== '' && Number(url.port) < 1024) return 'webhook_port'
  const host = hostOf(url)
  return isIP(host) !== 0 && !mayBeReached(host, nets) ? 'webhook_inside' : null
}
