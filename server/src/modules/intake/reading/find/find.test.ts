import { describe, expect, it } from 'vitest'
import { lowered } from '../text/letters.rules.ts'
import { findDimensions, findTemperatures, findWeights } from './amounts.ts'
import { findContacts, findPersons } from './contacts.ts'
import { findCues } from './cues.ts'
import { findDays } from './days.ts'
import { findEquipment, findLift, findNoTransshipment, findStackable, findVehicle } from './extras.ts'
import { numberOf } from './found.ts'
import { findAdr, findQuantities } from './goods.ts'
import { findMoney, findPaymentPeriods } from './money.ts'
import { findPlaces, type Towns } from './places.ts'
import { findReferences } from './references.ts'
import { findTimes } from './times.ts'

/** A Thursday. */
const today = '2027-01-14'

describe('numbers', () => {
  it('are read as each of the languages writes them', () => {
    expect(['18.800', '22 950', '12,350', "1'240.00", '1.690,-'].map((one) => numberOf(one, true))).toEqual([
      18_800, 22_950, 12_350, 1_240, 1_690,
    ])
    expect(['2,60', '12.8', '0,500'].map((one) => numberOf(one, false))).toEqual([2.6, 12.8, 0.5])
  })
})

describe('days', () => {
  it.each([
    ['Freitag, 15.01.2027', '2027-01-15'],
    ['am 30.11.', '2027-11-30'],
    ['Mon 30/11', '2027-11-30'],
    ['2027-01-21', '2027-01-21'],
    ['Thursday 26th November', '2027-11-26'],
    ['1 lutego 2027', '2027-02-01'],
    ['February 2nd, 2027', '2027-02-02'],
    ['übermorgen', '2027-01-16'],
    ['pojutrze', '2027-01-16'],
    ['tomorrow', '2027-01-15'],
    ['w poniedziałek rano', '2027-01-18'],
    ['KW 4', '2027-01-25'],
    ['tydzień 4', '2027-01-25'],
  ])('reads %s', (text, date) => {
    expect(findDays(lowered(text), today).map((day) => day.date)).toEqual([date])
  })

  it('says where the weekday is another day’s', () => {
    expect(findDays('montag, 15.01.2027', today)[0]!.isContradicted).toBe(true)
  })

  it('takes no streets, sizes or figures for days', () => {
    for (const text of ['22 Marsh Lane', 'Via Siemens 20, I-39100', '12.8 tonnes', '120x80', 'Str. 7-9'])
      expect(findDays(lowered(text), today), text).toEqual([])
  })
})

describe('times', () => {
  it.each([
    ['von 6 bis 10 Uhr', '06:00', '10:00'],
    ['7.30 - 16.00 Uhr', '07:30', '16:00'],
    ['8am - 11am', '08:00', '11:00'],
    ['godz. 6:00–14:00', '06:00', '14:00'],
    ['między 5.00 a 8.00', '05:00', '08:00'],
    ['fix 07:00', '07:00', null],
    ['by 2pm', '14:00', null],
    ['o godz. 6.00', '06:00', null],
    ['before noon', '12:00', null],
  ])('reads %s', (text, time, until) => {
    expect(findTimes(lowered(text))).toMatchObject([{ time, until }])
  })

  it('takes no postal codes, numbers of houses or prices for times', () => {
    for (const text of ['10-409 Olsztyn', 'Calle Tarento 12, PLAZA', '1.180,00 EUR', 'Tor 4'])
      expect(findTimes(lowered(text)), text).toEqual([])
  })
})

describe('amounts', () => {
  it('reads sizes in centimetres, metres and millimetres', () => {
    const size = (text: string) => findDimensions(lowered(text)).map((one) => [one.lengthCm, one.widthCm, one.heightCm])
    expect(size('120 × 80 × 145 cm')).toEqual([[120, 80, 145]])
    expect(size('2,60 m x 1,40 m x 0,90 m')).toEqual([[260, 140, 90]])
    expect(size('L 6,20 m x B 3,40 m x H 2,10 m')).toEqual([[620, 340, 210]])
    expect(size('1200x800x1450 mm')).toEqual([[120, 80, 145]])
  })

  it('reads weights each, in all, net and gross', () => {
    expect(findWeights('je ca. 1,9 t')).toMatchObject([{ kg: 1_900, isEach: true }])
    expect(findWeights('1,150 kg each')).toMatchObject([{ kg: 1_150, isEach: true }])
    expect(findWeights(lowered('po 645 kg'))).toMatchObject([{ kg: 645, isEach: true }])
    expect(findWeights('gesamtgewicht: 18.800 kg')).toMatchObject([{ kg: 18_800, isTotal: true }])
    expect(findWeights('12.8 tonnes all up')).toMatchObject([{ kg: 12_800, isTotal: true }])
    expect(findWeights('brutto 540 kg')).toMatchObject([{ isGross: true }])
  })

  it('reads temperatures as a range or one degree', () => {
    const range = (text: string) => findTemperatures(lowered(text)).map((one) => [one.low, one.high])
    expect(range('+2 do +6 st. C')).toEqual([[2, 6]])
    expect(range('+2/+8 °C')).toEqual([[2, 8]])
    expect(range('-18°C')).toEqual([[-18, -18]])
    expect(range('Halle 3 C')).toEqual([])
  })

  it('reads prices with their currency, and tells them from values and surcharges', () => {
    expect(findMoney('fracht 1.180,00 € netto')).toMatchObject([
      { cents: 118_000, currency: 'EUR', use: 'price', vat: 'net' },
    ])
    expect(findMoney("price: chf 1'240.00 excl. vat")).toMatchObject([{ cents: 124_000, currency: 'CHF', vat: 'net' }])
    expect(findMoney('warenwert 210.000 eur')).toMatchObject([{ use: 'value' }])
    expect(findMoney('50 eur per started hour')).toMatchObject([{ use: 'rate' }])
    expect(findMoney('preis 480')).toEqual([])
  })

  it('reads the period of payment, and no other days', () => {
    expect(findPaymentPeriods('zahlungsziel 45 tage')).toMatchObject([{ days: 45 }])
    expect(findPaymentPeriods(lowered('Płatność: przelew 30 dni'))).toMatchObject([{ days: 30 }])
    expect(findPaymentPeriods('cmr bitte binnen 5 tagen')).toEqual([])
  })
})

describe('goods', () => {
  it.each([
    ['20 Industriepaletten', 'Industrial pallet', 20],
    ['33 palety EUR', 'Europallet', 33],
    ['3 EP', 'Europallet', 3],
    ['2 wooden crates', 'Crate', 2],
    ['14 szt.', 'Piece', 14],
    ['5 Gitterboxen', 'Mesh box', 5],
    ['20 paletopojemników', 'IBC', 20],
    ['11 bębnów', 'Drum', 11],
    ['6 Düsseldorfer', 'Half pallet', 6],
  ])('reads %s', (text, unit, quantity) => {
    expect(findQuantities(lowered(text))).toMatchObject([{ unit, quantity }])
  })

  it('does not take straps for goods', () => {
    expect(findQuantities(lowered('pasy 20 szt.'))).toEqual([])
  })

  it('reads dangerous goods, and leaves out a number that is taken back', () => {
    expect(findAdr('un 1219 isopropanol, 3, pg ii')).toMatchObject([{ unNumber: '1219', adrClass: '3' }])
    expect(findAdr('un 2794 batteries?? sorry, un 1993, 3, pg iii')).toMatchObject([{ unNumber: '1993' }])
  })

  it('reads vehicles, equipment and demands, and what is not wanted', () => {
    expect(findVehicle(lowered('Wymagany pojazd: plandeka 13,6 m'))?.value).toBe('Curtain-sider 13.6 m')
    expect(findVehicle('coilmulde nein, tautliner')?.value).toBe('Curtain-sider 13.6 m')
    expect(findEquipment(lowered('20 Gurte, 40 Kantenschoner')).map(({ value }) => value)).toEqual([
      'straps',
      'edge protectors',
    ])
    expect(findLift('winda nie')).toBeNull()
    expect(findLift(lowered('mit Hebebühne'))).not.toBeNull()
    expect(findNoTransshipment(lowered('bez przeładunku'))).not.toBeNull()
    expect(findStackable('nicht stapelbar')?.value).toBe(false)
    expect(findStackable('stackable: no')?.value).toBe(false)
  })
})

describe('who and where', () => {
  it('reads telephone numbers, VAT numbers and addresses of mail', () => {
    const kinds = (text: string) => findContacts(lowered(text), text).map(({ kind, value }) => `${kind} ${value}`)
    expect(kinds('Tel. 05231 555 140')).toEqual(['phone 05231 555 140'])
    expect(kinds('NIP: 739-555-01-22')).toEqual(['vat PL7395550122'])
    expect(kinds('USt-IdNr.: DE 811 234 567')).toEqual(['vat DE811234567'])
    expect(kinds('ORDER 0080331742')).toEqual([])
    expect(kinds('post@beta.example')).toEqual(['email post@beta.example'])
  })

  it('reads persons by their form of address or a label', () => {
    const names = (text: string) => findPersons(lowered(text), text).map(({ name }) => name)
    expect(names('Frau Dr. Öztürk, Tor 4')).toEqual(['Dr. Öztürk'])
    expect(names('Osoba do kontaktu: Pan Krzysztof Wilk, tel.')).toEqual(['Krzysztof Wilk'])
    expect(names('Ordered by: Nordic Timber AB')).toEqual([])
  })

  it('reads whose a number is', () => {
    const uses = (text: string) => findReferences(lowered(text), text).map(({ use, value }) => `${use} ${value}`)
    expect(uses('Frachtauftrag-Nr.: 2026-AT-0553')).toEqual(['order 2026-AT-0553'])
    expect(uses('Ladereferenz: LR 77120')).toEqual(['pickUp LR 77120'])
    expect(uses('Nr referencyjny: KB-551 (podać przy załadunku)')).toEqual(['pickUp KB-551'])
    expect(uses('Lieferscheinnr. 8100447 angeben')).toEqual(['dropOff 8100447'])
    expect(uses('po 650 kg')).toEqual([])
  })

  it('reads postal codes and towns, and is sure where the gazetteer agrees', () => {
    const known: Readonly<Record<string, readonly string[]>> = {
      Olsztyn: ['PL'],
      Villach: ['AT'],
      Sursee: ['CH'],
      Spalding: ['GB'],
      Geleen: ['NL'],
      Mühlhausen: ['DE'],
    }
    // As the gazetteer compares names: by letters and digits alone.
    const towns: Towns = (name) => known[name.replace(/\W+$/u, '')] ?? []
    const places = (text: string) =>
      findPlaces(text, lowered(text), { towns, home: 'DE' }).map(
        ({ postal, city, country, isConfirmed }) => `${postal?.value} ${city.value} ${country?.code} ${isConfirmed}`,
      )
    expect(places('ul. Lubelska 37, 10-409 Olsztyn, PL')).toEqual(['10-409 Olsztyn PL true'])
    expect(places('Industriestraße 25, 9500 Villach, Austria')).toEqual(['9500 Villach AT true'])
    expect(places('Enterprise Way, Spalding PE11 3YR, Thursday')).toEqual(['PE11 3YR Spalding GB true'])
    expect(places('Gate 2, 6161 RC Geleen, NL')).toEqual(['6161 RC Geleen NL true'])
    expect(places('Gewerbepark 2, 99974 Mühlhausen. Cena 350 euro')).toEqual(['99974 Mühlhausen DE true'])
    expect(places('in 2026 Wir danken')).toEqual([])
  })

  it('tells the places of loading from a word in passing', () => {
    const roles = (text: string) => findCues(lowered(text)).map(({ role }) => role)
    expect(roles('Abholung am Montag\nLieferung bis Dienstag')).toEqual(['pickUp', 'dropOff'])
    expect(roles('Ladung: 5 Paletten')).toEqual(['other'])
    expect(roles('(podać przy załadunku)')).toEqual([])
    expect(roles('Odbiorca: Elektro Drau')).toEqual(['dropOff'])
  })
})
