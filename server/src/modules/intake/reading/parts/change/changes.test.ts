import { beforeAll, describe, expect, it } from 'vitest'
import { readKnownTowns } from '../../../../place/known-towns.ts'
import { readMail, type Known } from '../../read-mail.ts'

let known: Known
beforeAll(async () => {
  known = { towns: await readKnownTowns() }
})

const read = (text: string, subject = 'AW: Auftrag KX 4711') =>
  readMail({ text, subject, from: null, sentAt: '2027-01-11T09:00:00+01:00' }, known)
/** What a mail changes, in short: field, town, value. */
const changesOf = (text: string, subject?: string) =>
  read(text, subject).changes.map(({ reference, field, of, to }) => [reference, field, of, to])
const fix = (dateFrom: string, timeFrom: string | null) => ({
  kind: 'fix',
  dateFrom,
  timeFrom,
  dateTo: null,
  timeTo: null,
})

describe('no change is', () => {
  it.each([
    [
      'a question where the truck is',
      'Wo bleibt der LKW? Lieferung war für heute 11.01.2027 7:00 Uhr in Ulm avisiert.',
    ],
    ['a bill that is wrong', 'Die Rechnung über 1.240 EUR ist falsch, vereinbart waren 1.190 EUR.'],
    ['a word of thanks', 'Danke, passt so. Der Fahrer soll sich um 8 Uhr an der Pforte melden.'],
    ['damage', 'Two pallets arrived damaged in Graz on 6 January 2027, value 430 EUR.'],
    ['what is said to stay', 'Die Entladung am 14.01.2027 um 8:00 Uhr in Metz bleibt.'],
  ])('%s', (_, text) => {
    expect(changesOf(text)).toEqual([])
  })

  it('a mail whose only number is a year, nor one that names no order', () => {
    expect(read('Zusätzlich 2 Paletten Prospekte am 12.05.2027.', 'Messe 2027').kind).toBe('other')
    expect(read('Lieferung jetzt am 12.05.2027 um 8 Uhr in Ulm.', 'Info').changes).toEqual([])
  })

  it('an order that is written anew with its addresses, or that speaks of changes to come', () => {
    const lane = 'Abholung: Alba GmbH, Lindenweg 1, 28195 Bremen\nLieferung: Beta AG, Ringstr. 2, 04109 Leipzig\n'
    expect(read(`${lane}5 Paletten, 900 kg, jetzt am 12.01.2027`, 'Änderung Auftrag KX 4711').kind).toBe('order')
    const short = 'Abholung Bremen 12.01.2027, Lieferung Wien 14.01.2027, 12 Europaletten, weitere Angaben folgen.'
    expect(read(short, 'Neuer Auftrag 55812').kind).toBe('order')
    const half = 'Bitte jetzt abholen: Alba GmbH, Lindenweg 1, 28195 Bremen, 5 Paletten, zusätzlich Hebebühne.'
    expect(read(half, 'Transportauftrag 5512').kind).toBe('order')
  })
})

describe('a change says', () => {
  it('at which of several stops, also where Polish puts the town into a case', () => {
    expect(
      changesOf('Entladung in Kassel erst am 15.01.2027, 10:00 Uhr. Entladung in Ulm erst am 16.01.2027, 8:00 Uhr.'),
    ).toEqual([
      ['KX 4711', 'dropOff.termin', 'Kassel', fix('2027-01-15', '10:00')],
      ['KX 4711', 'dropOff.termin', 'Ulm', fix('2027-01-16', '08:00')],
    ])
    for (const [named, town] of [
      ['Brnie', 'Brno'],
      ['Gliwicach', 'Gliwice'],
      ['Poznaniu', 'Poznań'],
      ['Łodzi', 'Łódź'],
      ['Radomiu', 'Radom'],
      ['Kępnie', 'Kępno'],
      ['Warszawie', 'Warszawa'],
    ])
      expect(
        changesOf(`Zmiana: rozładunek w ${named} przesuwamy na 14.01.2027 godz. 9:00.`, 'Re: zlecenie KX 4711'),
      ).toEqual([['KX 4711', 'dropOff.termin', town, fix('2027-01-14', '09:00')]])
  })

  it('a stop’s number, and not the order’s', () => {
    expect(changesOf('Entladereferenz für Ulm ist jetzt 88-4471-B.')).toEqual([
      ['KX 4711', 'dropOff.reference', 'Ulm', '88-4471-B'],
    ])
    expect(changesOf('The collection reference for Leeds is now LDS 88213.', 'RE: order KX 4711')).toEqual([
      ['KX 4711', 'pickUp.reference', 'Leeds', 'LDS 88213'],
    ])
    expect(changesOf('Delivery slot for order KX 4711 has been changed. Slot no. is R-77120.', 'RE: KX 4711')).toEqual([
      ['KX 4711', 'dropOff.reference', null, 'R-77120'],
    ])
  })

  it('what it is now, and not what it was', () => {
    expect(
      changesOf('Es sind jetzt 26 Paletten und 17,2 t (bisher 22 Paletten, 14,6 t), Fracht neu 1.640 EUR.'),
    ).toEqual([
      ['KX 4711', 'cargo.quantity', null, 26],
      ['KX 4711', 'cargo.weightKg', null, 17_200],
      ['KX 4711', 'price.amountCents', null, 164_000],
    ])
    expect(changesOf('Die Lieferung kann erst am 15.01. um 7 Uhr sein, bisher war der 12.01. geplant.')).toEqual([
      ['KX 4711', 'dropOff.termin', null, fix('2027-01-15', '07:00')],
    ])
    expect(changesOf('The goods weigh 11,350 kg, not 11,530 kg.', 'Re: order KX 4711')).toEqual([
      ['KX 4711', 'cargo.weightKg', null, 11_350],
    ])
  })

  it('what comes to the order: a stop with its address, and goods', () => {
    const { changes } = read(
      'Bitte noch eine zweite Entladestelle anfahren:\nKunert Bau GmbH, Ziegeleistraße 14, 99085 Erfurt, am ' +
        '20.01.2027 zwischen 8:00 und 12:00 Uhr.\nZusätzlich kommen dafür 3 Europaletten Fliesen, 1.850 kg, dazu.',
    )
    expect(changes).toMatchObject([
      {
        field: 'stop.added',
        to: {
          action: 'DROP_OFF',
          companyTitle: 'Kunert Bau GmbH',
          address: 'Ziegeleistraße 14',
          postal: '99085',
          city: 'Erfurt',
          termin: { kind: 'period', dateFrom: '2027-01-20', timeFrom: '08:00', timeTo: '12:00' },
        },
      },
      { field: 'cargo.added', to: { quantity: 3, unit: 'Europallet', weightKg: 1_850 } },
    ])
    expect(changesOf('Es sind nur noch 18 Paletten.')).toEqual([['KX 4711', 'cargo.quantity', null, 18]])
  })

  it('what is paid on top, and for what', () => {
    const extraOf = (text: string) => {
      const [one] = read(text).changes
      return [one?.field, one?.to, one?.extra]
    }
    expect(extraOf('Standgeld vom Montag übernehmen wir mit 110,00 EUR.')).toEqual([
      'price.surcharge',
      11_000,
      'waiting_time',
    ])
    expect(extraOf('We accept 3 h × 45 EUR waiting time on top.')).toEqual(['price.surcharge', 13_500, 'waiting_time'])
    expect(extraOf('Opłatę za przejazd promem 60 EUR doliczcie osobno.')).toEqual(['price.surcharge', 6_000, 'ferry'])
    expect(extraOf('Für die Maut kommen 25 EUR dazu.')).toEqual(['price.surcharge', 2_500, 'tolls'])
    expect(extraOf('Für die Zusatzladestelle zahlen wir 65 €.')).toEqual(['price.surcharge', 6_500, 'additional_stop'])
    expect(extraOf('The rate goes up from 890 EUR to 940 EUR because of the ferry.')).toEqual([
      'price.amountCents',
      94_000,
      undefined,
    ])
  })

  it('of which order, where a mail speaks of several', () => {
    expect(
      changesOf('KX-301 bitte stornieren.\nKX-302: 20 statt 22 Paletten, Gewicht dann 10,8 t.', 'KX-301 und KX-302'),
    ).toEqual([
      ['KX-301', 'order', null, 'canceled'],
      ['KX-302', 'cargo.quantity', null, 20],
      ['KX-302', 'cargo.weightKg', null, 10_800],
    ])
  })
})
