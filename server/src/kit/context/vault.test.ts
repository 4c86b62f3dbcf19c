import { expect, it } from 'vitest'
import { createVault, oneKey } from './vault.ts'

const vault = createVault(oneKey('a key that is long enough for a test'))

it('opens what it sealed, and never seals the same twice alike', () => {
  const sealed = vault.seal('Zażółć gęślą jaźń', 'letter of 1')
  expect(vault.open(sealed, 'letter of 1')).toBe('Zażółć gęślą jaźń')
  expect(vault.seal('Zażółć gęślą jaźń', 'letter of 1').equals(sealed)).toBe(false)
  expect(sealed.includes('Zażółć')).toBe(false)
})

it('opens nothing that was sealed for something else, with another key, or was changed', () => {
  const sealed = vault.seal('secret', 'letter of 1')
  expect(vault.open(sealed, 'letter of 2')).toBeNull()
  expect(createVault(oneKey('another key that is long enough as well')).open(sealed, 'letter of 1')).toBeNull()
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(vault.open(changed, 'letter of 1'), `byte ${at}`).toBeNull()
  }
  expect(vault.open(sealed.subarray(0, 20), 'letter of 1')).toBeNull()
  expect(vault.open(Buffer.alloc(0), 'letter of 1')).toBeNull()
})
