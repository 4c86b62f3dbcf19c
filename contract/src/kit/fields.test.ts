import { describe, expect, it } from 'vitest'
import { bankAccount } from './bank/bank.ts'
import { optionalEmail, optionalPhone } from './fields.ts'

const takes = (schema: { safeParse: (value: unknown) => { success: boolean } }, values: readonly unknown[]) =>
  values.filter((value) => schema.safeParse(value).success)

describe('a phone number', () => {
  const GOOD = [
    '+49 40 5550 1204',
    '(0171) 555-39 20',
    '+48.601.555.392',
    '0041 (0)44 555 12 12',
    '+49 30 5550 / 0171 5553920',
    '040/5550-1204, 05',
    '1204',
    '+49 40 5550 ext. 12',
    '+49 40 5550 x12',
    '040 5550 Durchwahl 7',
    '+48 22 555 10 10 wew. 14',
    '+49 40 5550–12',
    '\u00a0040 5550 12\u00a0',
  ]
  const BAD = [
    '123',
    'none',
    'n/a',
    'ask Mr Jansen',
    '+-() ./',
    '12a45',
    '+49 40 5550 1204 office',
    'ext. 1234',
    '+49 40 55@1',
    '1'.repeat(51),
    1204,
  ]

  it('may be written as people write it, and has at least four digits', () => {
    expect(takes(optionalPhone, GOOD)).toEqual(GOOD)
    expect(takes(optionalPhone, BAD)).toEqual([])
  })

  it('may be missing or empty, which is the same', () => {
    expect([undefined, null, '', '  '].map((value) => optionalPhone.parse(value))).toEqual([null, null, null, null])
    expect(optionalPhone.parse(' 040 5550 ')).toBe('040 5550')
  })

  it('is judged at once, however long it is', () => {
    const startedAt = Date.now()
    expect(
      takes(optionalPhone, [`${'1'.repeat(500_000)}x`, ' '.repeat(500_000) + 'x', `${'ext. '.repeat(100_000)}`]),
    ).toEqual([])
    expect(Date.now() - startedAt).toBeLessThan(2000)
  })
})

describe('a bank account', () => {
  const of = (iban: unknown, bic?: unknown) => ({ iban, ...(bic !== undefined && { bic }) })

  it('has an IBAN of a known country, of its length and with the right check digits, however it is grouped', () => {
    const GOOD = [
      'DE89 3704 0044 0532 0130 00',
      'pl61-1090-1014-0000-0712-1981-2874',
      'NL91ABNA0417164300',
      'GB29NWBK60161331926819',
      'NO9386011117947',
    ]
    expect(
      takes(
        bankAccount,
        GOOD.map((iban) => of(iban)),
      ),
    ).toHaveLength(GOOD.length)
    expect(bankAccount.parse(of(GOOD[0])).iban).toBe('DE89370400440532013000')
    expect(
      takes(
        bankAccount,
        [
          '',
          'DE89 3704 0044 0532 0130 01',
          'DE89 3704 0044 0532 0130 0',
          'XX89370400440532013000',
          'DE8937040044053201300O',
          'PL61',
          null,
        ].map((iban) => of(iban)),
      ),
    ).toEqual([])
  })

  it('may have a BIC of eight or eleven characters', () => {
    const iban = 'DE89370400440532013000'
    expect(bankAccount.parse(of(iban, ' cobadeffxxx ')).bic).toBe('COBADEFFXXX')
    expect(
      takes(
        bankAccount,
        ['COBADEFF', 'WBKPPLPPXXX', null].map((bic) => of(iban, bic)),
      ),
    ).toHaveLength(3)
    expect(
      takes(
        bankAccount,
        ['COBADE', 'COBADEFFXX', '12BADEFF', 'COBA DEFF', 7].map((bic) => of(iban, bic)),
      ),
    ).toEqual([])
  })
})

describe('an email address', () => {
  it('has a name, an at sign and a domain, and nothing that a mail could be bent with', () => {
    const GOOD = ['dispo@transwarta.example', 'jan.o-brien+lkw@speditión.example', ' a@b.pl ']
    expect(takes(optionalEmail, GOOD)).toEqual(GOOD)
    expect(
      takes(optionalEmail, [
        'dispo',
        'dispo@',
        '@b.pl',
        'a@b',
        'a@b.p',
        'a b@c.pl',
        'a@b.pl, c@d.pl',
        'Jan <a@b.pl>',
        'a@b.pl\nBcc: c@d.pl',
        'a@@b.pl',
      ]),
    ).toEqual([])
    expect([null, '', undefined].map((value) => optionalEmail.parse(value))).toEqual([null, null, null])
  })
})
