import { expect, test } from 'vitest'
import { deviceOf } from './device.ts'

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Chrome',
    'Windows',
  ],
  [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)',
      'Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    ].join(' '),
    'Edge',
    'Windows',
  ],
  [
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
      'Version/26.0 Safari/605.1.15',
    ].join(' '),
    'Safari',
    'macOS',
  ],
  [
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)',
      'CriOS/142.0 Mobile/15E148 Safari/604.1',
    ].join(' '),
    'Chrome',
    'iPhone',
  ],
  [
    [
      'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko)',
      'Chrome/142.0.0.0 Mobile Safari/537.36',
    ].join(' '),
    'Chrome',
    'Android',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
    'Chrome',
    'Linux',
  ],
])('%s', (userAgent, browser, system) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system })
})

test('a program that says nothing stays unknown', () => {
  expect(deviceOf('curl/8.14')).toEqual({ browser: null, system: null })
  expect(deviceOf(null)).toEqual({ browser: null, system: null })
})
