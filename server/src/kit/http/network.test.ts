import { describe, expect, it } from 'vitest'
import { networkOf } from './network.ts'

describe('the network of a caller', () => {
  it('is the address and its /24 for IPv4, however it is written', () => {
    const network = { line: '192.0.2.7', site: '192.0.2.0/24' }
    for (const ip of ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '0:0:0:0:0:FFFF:192.0.2.7'])
      expect(networkOf(ip), ip).toEqual(network)
  })

  it('is the /64 and the /48 for IPv6, however it is written', () => {
    const network = { line: '2001:db8:5:a::/64', site: '2001:db8:5::/48' }
    for (const ip of ['2001:db8:5:a::1', '2001:0DB8:0005:000a:ffff:1:2:3', '2001:db8:5:a::192.0.2.1'])
      expect(networkOf(ip), ip).toEqual(network)
    expect(networkOf('2001:db8::')).toEqual({ line: '2001:db8:0:0::/64', site: '2001:db8:0::/48' })
    expect(networkOf('fe80::1%eth0')).toEqual({ line: 'fe80:0:0:0::/64', site: 'fe80:0:0::/48' })
    expect(networkOf('::1')).toEqual({ line: '0:0:0:0::/64', site: '0:0:0::/48' })
  })

  it('is the text itself where that is no address', () => {
    expect(networkOf('')).toEqual({ line: '', site: '' })
    expect(networkOf('unix:')).toEqual({ line: 'unix:', site: 'unix:' })
  })
})
