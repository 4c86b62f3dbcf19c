import { describe, expect, it } from 'vitest'
import { lowered } from './letters.rules.ts'
import { MOST_READ, pageOf } from './page.ts'
import { masked, zonesOf } from './zones.ts'

const sentAt = '2027-01-11T09:00:00+01:00'
const pageFor = (text: string, subject: string | null = null) => pageOf({ text, subject, from: null, sentAt })
const bodyOf = (text: string, subject: string | null = null): string => {
  const page = pageFor(text, subject)
  const bodies = zonesOf(page, page.subject[0] - 2).filter(({ kind }) => kind === 'body')
  return masked(page.text, bodies).replace(/\s+/g, ' ').trim()
}

describe('a page', () => {
  it('has no markup, and its places lead back to the mail', () => {
    const text = '<td>Köln</td>&nbsp;<br>M&uuml;nchen'
    const page = pageFor(text)
    const at = page.text.indexOf('München')
    expect(at).toBeGreaterThan(0)
    const [from, to] = page.spanOf(at, at + 'München'.length)
    expect(text.slice(from, to)).toBe('M&uuml;nchen')
  })

  it('says of a place in the subject that it stands there', () => {
    const page = pageFor('Hallo', 'Auftrag 4711')
    const at = page.text.indexOf('4711')
    expect(page.spanOf(at, at + 4)).toEqual([8, 12, 'subject'])
  })

  it('is lowered letter for letter', () => {
    for (const text of ['Straße', 'ŁÓDŹ', 'İstanbul', '10 – 12', 'œuvre'])
      expect(lowered(text)).toHaveLength(text.length)
  })

  it('ends where no more is read', () => {
    expect(pageFor('x'.repeat(MOST_READ + 5)).isWhole).toBe(false)
  })
})

describe('the parts of a mail', () => {
  it('set signature and history of an answer aside', () => {
    const text =
      'Bitte ändern.\nGruß\nUwe Petersen\n\nAm 27.11.2026 schrieb Dispo <d@waybill.example>:\n> 7 Paletten, 3.150 kg'
    expect(bodyOf(text, 'Re: Auftrag')).toBe('Bitte ändern.')
  })

  it('read what was forwarded, without the header lines and the signature of whom it came from', () => {
    const text =
      'Bitte fahren.\n\nVon: Odermatt <o@stein.example>\nGesendet: Dienstag, 24. November 2026 08:50\n' +
      'An: Einkauf\nBetreff: Platten\n\n6 Kisten, 1.900 kg in 38855 Wernigerode\nFreundliche Grüsse\nB. Odermatt'
    expect(bodyOf(text, 'WG: Platten')).toBe('Bitte fahren. 6 Kisten, 1.900 kg in 38855 Wernigerode')
    const page = pageFor(text, 'WG: Platten')
    expect(zonesOf(page, page.subject[0] - 2).find(({ kind, day }) => kind === 'body' && day !== null)?.day).toBe(
      '2026-11-24',
    )
  })
})
