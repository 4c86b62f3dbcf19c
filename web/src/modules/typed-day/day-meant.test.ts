import { describe, expect, it } from 'vitest'
import { dayMeant } from './day-meant.ts'

// A Friday.
const TODAY = '2026-11-27'
const near = (text: string) => dayMeant(text, 'near', TODAY, 'en')
const ahead = (text: string) => dayMeant(text, 'ahead', TODAY, 'en')

describe('a typed day', () => {
  it('is none where the text is no day, several or has a time', () => {
    for (const text of ['', 'soon', '31.02', '4.12 8-10', 'KW 49']) {
      expect(near(text), text).toBeNull()
      expect(ahead(text), text).toBeNull()
    }
  })

  it('without a year lies next to today where it may lie behind, else it is still to come', () => {
    expect(near('20.11')).toBe('2026-11-20')
    expect(near('5.1')).toBe('2027-01-05')
    expect(ahead('20.11')).toBe('2027-11-20')
    expect(ahead('27.11')).toBe('2026-11-27')
  })

  it('is read by its weekday and by days from today', () => {
    for (const read of [near, ahead]) {
      expect(read('mo')).toBe('2026-11-30')
      expect(read('+2')).toBe('2026-11-29')
      expect(read('30.11.2026')).toBe('2026-11-30')
    }
    expect(dayMeant('śr', 'near', TODAY, 'pl')).toBe('2026-12-02')
  })
})
