import { expect, it } from 'vitest'
import { faultOfAddress, isOutside, mayBeReached, netsOf } from './address.rules.ts'

const INSIDE = [
  '0.0.0.0',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:a00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  'fc00::1',
  'fdff:ffff::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2606:4700::1%eth0',
  '',
  'localhost',
  '8.8.8',
  '0x7f.1',
]
const OUTSIDE = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
]

it.each(INSIDE)('refuses %s', (address) => {
  expect(isOutside(address)).toBe(false)
})

it.each(OUTSIDE)('lets %s be reached', (address) => {
  expect(isOutside(address)).toBe(true)
})

it('opens the nets of the settings, and nothing beside them', () => {
  const nets = netsOf(['127.0.0.1', '10.7.0.0/16', 'fd00:1::/32'])
  for (const address of ['127.0.0.1', '10.7.255.1', 'fd00:1::5', '8.8.8.8'])
    expect(mayBeReached(address, nets), address).toBe(true)
  for (const address of ['127.0.0.2', '10.8.0.1', 'fd00:2::5', '169.254.169.254', 'localhost', ''])
    expect(mayBeReached(address, nets), address).toBe(false)
})

it('says what is wrong with an address before anybody is asked where it leads', () => {
  const none = netsOf([])
  const faults: Record<string, string | null> = {
    'https://hooks.example/waybill': null,
    'https://hooks.example:443/': null,
    'https://hooks.example:1024/': null,
    'https://hooks.example:8443/a?b=c': null,
    'https://8.8.8.8/': null,
    'http://hooks.example/': 'webhook_address',
    'ftp://hooks.example/': 'webhook_address',
    'file:///etc/passwd': 'webhook_address',
    'hooks.example': 'webhook_address',
    '': 'webhook_address',
    'https://': 'webhook_address',
    'https://me:secret@hooks.example/': 'webhook_address',
    'https://me@hooks.example/': 'webhook_address',
    'https://hooks.example/#part': 'webhook_address',
    'https://hooks.example:22/': 'webhook_port',
    'https://hooks.example:80/': 'webhook_port',
    'https://hooks.example:1023/': 'webhook_port',
    'https://127.0.0.1/': 'webhook_inside',
    'https://127.1/': 'webhook_inside',
    'https://0x7f000001/': 'webhook_inside',
    'https://2130706433/': 'webhook_inside',
    'https://017700000001/': 'webhook_inside',
    'https://169.254.169.254/latest/meta-data': 'webhook_inside',
    'https://[::1]/': 'webhook_inside',
    'https://[::ffff:10.0.0.1]/': 'webhook_inside',
    'https://[64:ff9b::10.0.0.1]/': 'webhook_inside',
  }
  for (const [url, fault] of Object.entries(faults)) expect(faultOfAddress(url, none), url).toBe(fault)
  expect(faultOfAddress('https://127.0.0.1:8443/', netsOf(['127.0.0.1/32']))).toBeNull()
})
