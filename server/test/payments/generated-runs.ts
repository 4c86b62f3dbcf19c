import { planPayments } from '../../src/modules/payment-file/plan-payments.rules.ts'
import { paymentFileXml, type Creditor } from '../../src/modules/payment-file/sepa-file.rules.ts'
import { sepaText } from '../../src/modules/payment-file/sepa-text.rules.ts'
import { randomFrom } from '../long/writers.ts'
import { ibanOf } from './payment-examples.ts'

/** Firms, streets and towns of 30 countries, in their own letters, with the length of an IBAN there. */
const PLACES: readonly (readonly [code: string, length: number, title: string, street: string, town: string])[] = [
  ['DE', 22, 'Größe & Söhne Kühltransporte GmbH', 'Äußere Straße 5', 'Nürnberg'],
  ['AT', 20, 'Österreichische Güterbeförderung „Ö3“', 'Mariahilfer Straße 1/2', 'Wien'],
  ['PL', 28, 'Łącki Żurawiński Sp. z o.o. „Ćma”', 'ul. Świętojańska 7', 'Gdańsk'],
  ['CZ', 24, 'Říha Přeprava s.r.o.', 'Nádražní 3', 'Ústí nad Labem'],
  ['SK', 24, 'Ľubľanská Doprava a.s.', 'Hviezdoslavovo nám. 9', 'Košice'],
  ['HU', 28, 'Őrség Fuvarozó Kft.', 'Fő út 12', 'Győr'],
  ['RO', 24, 'Șerban Țăran Logistică S.R.L.', 'Strada Ștefan 4', 'Iași'],
  ['BG', 22, 'Щастлив път ЕООД', 'ул. Цар Иван 1', 'Пловдив'],
  ['GR', 27, 'Μεταφορές Ψαρράς Α.Ε.', 'Οδός Αθηνών 3', 'Θεσσαλονίκη'],
  ['LT', 20, 'Šilo Vartai UAB', 'Žalgirio g. 8', 'Šiauliai'],
  ['LV', 21, 'Ķekava Ātrums SIA', 'Brīvības iela 2', 'Rīga'],
  ['EE', 20, 'Õnne Veod OÜ', 'Pärnu mnt 11', 'Tõrva'],
  ['FI', 18, 'Åkeri Järvinen Oy', 'Hämeentie 4', 'Jyväskylä'],
  ['SE', 24, 'Öresund Åkeri AB', 'Kungsgatan 1', 'Malmö'],
  ['DK', 18, 'Ærø Fragt A/S', 'Østergade 6', 'København'],
  ['NO', 15, 'Ålesund Spedisjon AS', 'Bjørnsons gate 3', 'Tromsø'],
  ['NL', 18, "'t Zand Transport B.V.", 'Singel 9 <hoek>', "'s-Hertogenbosch"],
  ['BE', 16, 'Transports Liégeois @ Co', 'Rue de la Régence 5', 'Liège'],
  ['FR', 27, 'Œuvres Routières « Çà et là » S.A.', 'Rue Saint-Honoré 8', 'Besançon'],
  ['ES', 24, 'Peñíscola Camión S.L. ¡Ya!', 'Calle Núñez 3', 'A Coruña'],
  ['PT', 25, 'Transportes Açúcar, Lda.', 'Rua João XXI', 'Évora'],
  ['IT', 27, 'Città & Più Autotrasporti S.r.l.', 'Via Forlì 2', 'Cantù'],
  ['SI', 19, 'Čebela Špedicija d.o.o.', 'Železna cesta 1', 'Škofja Loka'],
  ['HR', 21, 'Đakovo Prijevoz d.o.o.', 'Žumberačka 4', 'Čakovec'],
  ['IE', 22, 'Ó Súilleabháin Haulage Ltd', 'O’Connell Street 1', 'Dún Laoghaire'],
  ['MT', 31, 'Ħal Għaxaq Transport Ltd', 'Triq il-Kbira 7', 'Żebbuġ'],
  ['CH', 21, 'Genève–Zürich Fret Sàrl', 'Rue du Rhône 3', 'Genève'],
  ['GB', 22, 'Smith; Jones #1 Haulage Ltd!', 'High Street 10\n2nd floor', 'Ynys Môn'],
  ['RS', 22, 'Шумадија Шпед д.о.о. Ђорђе', 'Његошева 5', 'Чачак'],
  ['MD', 24, 'Chișinău Экспресс Груп S.R.L.', 'str. Ștefan cel Mare 1', 'Bălți'],
]

export interface GeneratedRun {
  xml: string
  messageId: string
  /** what the invoices come to */
  totalCents: number
  paymentCount: number
}

/** A run as it could be made, of 1 to `most` payments; the same seed, the same run. */
export function generatedRun(seed: number, most: number): GeneratedRun {
  const random = randomFrom(seed)
  const wanted = seed % 10 === 0 ? most : 1 + random(most)
  const umlauts = random(2) === 0 ? 'two_letters' : 'one_letter'
  const messageId = `WB26-${String(seed % 1000).padStart(3, '0')}-TEST${String(seed).padStart(6, '0')}`
  const payments: Parameters<typeof paymentFileXml>[0]['payments'][number][] = []
  let totalCents = 0
  for (let carrier = 0; payments.length < wanted; carrier += 1) {
    const [code, length, title, street, town] = PLACES[random(PLACES.length)]!
    const iban = ibanOf(code, length, 1_000_000 + seed * 5000 + carrier)
    const creditor: Creditor = {
      title: random(20) === 0 ? '文字' : `${title} ${'x'.repeat(random(60))}`,
      address: street,
      postal: String(10_000 + random(90_000)),
      city: town,
      countryCode: code,
      iban,
      bic: `ABCD${code}2LXXX`,
    }
    const bills = Array.from({ length: 1 + random(4) }, (_, index) => ({
      id: index,
      reference: sepaText(`//FV ${carrier}/${index}/ŻÓŁĆ & "Ω"${'9'.repeat(random(50))}`, 100, umlauts),
      iban,
      totalCents: 1 + random(random(50) === 0 ? 99_999_999_999 : 500_000),
    }))
    const credits =
      random(5) === 0 ? [{ id: 99, reference: `GS ${carrier}`, iban: null, totalCents: -(1 + random(5000)) }] : []
    const { payments: planned } = planPayments([...bills, ...credits], { combine: random(3) > 0 })
    for (const one of planned.slice(0, wanted - payments.length)) {
      payments.push({ ...one, endToEndId: `${messageId}-${String(payments.length + 1).padStart(4, '0')}`, creditor })
      totalCents += one.items.reduce((cents, item) => cents + item.totalCents, 0)
    }
  }
  const [code, length, title, address, city] = PLACES[random(PLACES.length)]!
  const debtor = { title, address, postal: '12345', city, countryCode: code, iban: ibanOf(code, length, 7), bic: null }
  const xml = paymentFileXml({
    messageId,
    createdAt: '2026-11-23T09:30:00.123Z',
    executionDate: '2026-12-09',
    debtor: { ...debtor, bic: `WXYZ${code}2L` },
    payments,
    umlauts,
  })
  return { xml, messageId, totalCents, paymentCount: payments.length }
}

/** What is wrong in a file beside its schema: sums, counts, ids and characters. */
export function faultsOf({ xml, messageId, totalCents, paymentCount }: GeneratedRun): string[] {
  const all = (name: string) =>
    [...xml.matchAll(new RegExp(`<${name}[^>]*>([^<]*)</${name}>`, 'g'))].map(([, text]) => text!)
  const cents = (text: string) => Number(text.replace('.', ''))
  const faults: string[] = []
  const expectAll = (name: string, isRight: (text: string) => boolean) => {
    for (const text of all(name)) if (!isRight(text)) faults.push(`${name}: ${text}`)
  }
  const ids = [messageId, ...all('PmtInfId'), ...all('EndToEndId')]
  if (new Set(ids).size !== ids.length || ids.some((id) => id.length > 35)) faults.push('ids')
  if (all('CtrlSum').length !== 2 || all('NbOfTxs').length !== 2) faults.push('levels')
  expectAll('CtrlSum', (text) => cents(text) === totalCents)
  expectAll('NbOfTxs', (text) => Number(text) === paymentCount)
  if (all('InstdAmt').reduce((sum, text) => sum + cents(text), 0) !== totalCents) faults.push('amounts')
  if (all('EndToEndId').length !== paymentCount) faults.push('payments')
  for (const name of ['Nm', 'Ustrd', 'StrtNm', 'TwnNm', 'PstCd'])
    expectAll(
      name,
      (text) => /^(?:[A-Za-z0-9/\-?:().,+ ]|&apos;)+$/.test(text) && !text.includes('//') && !/^[/ ]|[/ ]$/.test(text),
    )
  expectAll('Nm', (text) => text.replaceAll('&apos;', "'").length <= 70)
  expectAll('Ustrd', (text) => text.replaceAll('&apos;', "'").length <= 140)
  if (xml.includes('AdrLine')) faults.push('unstructured address')
  for (const address of xml.match(/<PstlAdr>.*?<\/PstlAdr>/g) ?? [])
    if (!/<TwnNm>.+<\/TwnNm><Ctry>[A-Z]{2}<\/Ctry><\/PstlAdr>$/.test(address)) faults.push(address)
  for (const payment of xml.match(/<CdtTrfTxInf>.*?<\/CdtTrfTxInf>/g) ?? []) {
    const isOutside = /<IBAN>(CH|GB|RS|MD)/.test(payment)
    if (payment.includes('BICFI') !== isOutside || payment.includes('PstlAdr') !== isOutside) faults.push(payment)
  }
  return faults
}
