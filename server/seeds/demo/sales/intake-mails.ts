import { sql } from 'kysely'
import { Readable } from 'node:stream'
import type { Language } from '@waybill/contract/errors'
import { addDays, weekdayOf } from '@waybill/contract/kit/local-time'
import { nowOf, type Ctx } from '../../../src/kit/context/context.ts'
import { takeFromMailbox } from '../../../src/modules/intake/index.ts'

interface Place {
  companyTitle: string
  address: string
  postal: string
  city: string
  countryCode: string
}

/** An order as it was driven before, of which the customer sends the next. */
interface Source {
  language: Language
  customerTitle: string
  contact: string
  email: string
  number: string | null
  loads: Place
  unloads: Place
  goods: string
  quantity: number
  unit: string
  weightKg: number
  priceCents: number
}

interface SeededMail {
  from: { name: string; email: string }
  subject: string
  text: string
  hoursAgo: number
}

const placeOf = (kind: 'loading' | 'unloading') => sql`(select json_build_object('companyTitle', l."companyTitle",
    'address', l.address, 'postal', l.postal, 'city', l.city, 'countryCode', c.code)
  from location l join country c on c.id = l."countryId" where l."orderId" = o.id and l.kind = ${sql.lit(kind)})`

/** The newest order of each customer that has one stop of each kind and one line of cargo. */
async function sourcesOf(ctx: Ctx, statuses: readonly string[]): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select * from (
      select distinct on (k.id) k.language, k.title as "customerTitle", p."fullName" as contact, p.email,
          o."customerOrderNumber" as number, ${placeOf('loading')} as loads, ${placeOf('unloading')} as unloads,
          g.title as goods, g.quantity, u.title as unit, g."weightKg"::float8 as "weightKg",
          o."customerPriceCents" as "priceCents", o.id
        from "order" o
          join order_customer x on x."orderId" = o.id and x.position = 1
          join customer k on k.id = x."customerId"
          join contact_person p on p."customerId" = k.id and p.position = 0
          join cargo g on g."orderId" = o.id
          join unit_type u on u.id = g."unitTypeId"
        where o.status = any(${statuses}::text[]) and not o."isMergeResult" and o."mergedIntoId" is null
          and o."customerPriceCents" > 0 and g."weightKg" > 0 and g.title is not null
          and (select count(*) from location l where l."orderId" = o.id) = 2
          and (select count(*) from cargo other where other."orderId" = o.id) = 1
          and not exists (select 1 from location l where l."orderId" = o.id
            and (l."companyTitle" is null or l.address is null or l.postal is null))
        order by k.id, o.id desc) newest
      order by id desc
  `.execute(ctx.db)
  return rows
}

const dotted = (day: string): string => `${day.slice(8)}.${day.slice(5, 7)}.${day.slice(0, 4)}`
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const written = (day: string): string =>
  `${Number(day.slice(8))} ${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`
const whole = (value: number, mark: string): string => String(Math.round(value)).replace(/(?=(?:\d{3})+$)(?!^)/g, mark)
const lineOf = ({ companyTitle, address, postal, city, countryCode }: Place): string =>
  `${companyTitle}, ${address}, ${countryCode}-${postal} ${city}`

/** The next day on which trucks are loaded, so many working days ahead. */
function workday(from: string, ahead: number): string {
  let day = from
  for (let left = ahead; left > 0; ) {
    day = addDays(day, 1)
    if (weekdayOf(day) < 6) left -= 1
  }
  return day
}

interface Days {
  loads: string
  unloads: string
}

function letterDe(one: Source, number: string, { loads, unloads }: Days): string {
  return [
    'Sehr geehrte Damen und Herren,',
    '',
    'hiermit erteilen wir Ihnen folgenden Transportauftrag:',
    '',
    `Auftragsnummer: ${number}`,
    `Ladestelle: ${lineOf(one.loads)}`,
    `Ladetermin: ${dotted(loads)}, 08:00 - 14:00 Uhr`,
    `Entladestelle: ${lineOf(one.unloads)}`,
    `Entladetermin: ${dotted(unloads)}, fix 10:00 Uhr`,
    `Ladung: ${one.quantity} ${one.unit} ${one.goods}, Gesamtgewicht ${whole(one.weightKg, '.')} kg`,
    `Frachtpreis: ${whole(one.priceCents / 100, '.')},00 EUR netto`,
    'Zahlungsziel 30 Tage',
    '',
    'Mit freundlichen Grüßen',
    one.contact,
    one.customerTitle,
  ].join('\n')
}

function letterPl(one: Source, number: string, { loads, unloads }: Days): string {
  return [
    'Dzień dobry,',
    '',
    `proszę o realizację zlecenia transportowego nr ${number}:`,
    '',
    `Miejsce załadunku: ${lineOf(one.loads)}`,
    `Data załadunku: ${dotted(loads)} w godz. 8:00 - 14:00`,
    `Miejsce rozładunku: ${lineOf(one.unloads)}`,
    `Data rozładunku: ${dotted(unloads)} godz. 10:00`,
    `Ładunek: ${one.quantity} ${one.unit}, ${one.goods}, waga całkowita ${whole(one.weightKg, ' ')} kg`,
    `Stawka frachtu: ${whole(one.priceCents / 100, ' ')} EUR netto`,
    'Termin płatności: 45 dni',
    '',
    'Pozdrawiam',
    one.contact,
    one.customerTitle,
  ].join('\n')
}

function letterEn(one: Source, number: string, { loads, unloads }: Days): string {
  return [
    'Dear team,',
    '',
    `please arrange the following transport, our reference ${number}:`,
    '',
    `Pick-up: ${lineOf(one.loads)}`,
    `Loading: ${written(loads)}, 08:00 - 14:00`,
    `Delivery: ${lineOf(one.unloads)}`,
    `Unloading: ${written(unloads)}, fix 10:00`,
    `Goods: ${one.quantity} ${one.unit} ${one.goods}, total weight ${whole(one.weightKg, ',')} kg`,
    `Rate: EUR ${whole(one.priceCents / 100, ',')}.00 net`,
    '',
    'Kind regards,',
    one.contact,
    one.customerTitle,
  ].join('\n')
}

const LETTERS: Readonly<Record<Language, typeof letterDe>> = { de: letterDe, pl: letterPl, en: letterEn }
const SUBJECTS: Readonly<Record<Language, string>> = {
  de: 'Transportauftrag',
  pl: 'Zlecenie transportowe nr',
  en: 'Transport order',
}

const senderOf = ({ contact, email }: Source) => ({ name: contact, email })

/** Mails about orders that are there: another day, and one that is not wanted any more. */
function changesOf(open: readonly Source[], today: string): SeededMail[] {
  const [moved, canceled] = open.filter(({ number, language }) => number !== null && language === 'de')
  const day = workday(today, 4)
  return [
    ...(moved === undefined
      ? []
      : [
          {
            from: senderOf(moved),
            subject: `AW: Auftragsbestätigung ${moved.number}`,
            text: [
              'Hallo zusammen,',
              '',
              `zu Auftrag ${moved.number}: Die Entladung verschiebt sich auf ${dotted(day)}, 9:00 Uhr.`,
              `Außerdem sind es ${moved.quantity - 2} statt ${moved.quantity} ${moved.unit}.`,
              'Der Rest bleibt wie vereinbart.',
              '',
              'Danke und Gruß',
              moved.contact,
            ].join('\n'),
            hoursAgo: 3,
          },
        ]),
    ...(canceled === undefined
      ? []
      : [
          {
            from: senderOf(canceled),
            subject: `Storno ${canceled.number}`,
            text: [
              'Guten Tag,',
              '',
              `leider müssen wir den Auftrag ${canceled.number} stornieren, die Ware wird nicht fertig.`,
              'Bitte bestätigen Sie kurz.',
              '',
              'Mit freundlichen Grüßen',
              canceled.contact,
              canceled.customerTitle,
            ].join('\n'),
            hoursAgo: 20,
          },
        ]),
  ]
}

/** Mails of firms that are no customers yet, and one that orders nothing. */
function strangersOf(today: string): SeededMail[] {
  const days = { loads: workday(today, 2), unloads: workday(today, 4) }
  return [
    {
      from: { name: 'Sabine Kötter', email: 's.koetter@kunststoff-lippe.example' },
      subject: `Transportauftrag TA-0081 Detmold - Győr`,
      text: [
        'Sehr geehrte Damen und Herren,',
        '',
        'wie telefonisch besprochen erteilen wir Ihnen folgenden Transportauftrag TA-0081:',
        '',
        'Ladestelle: Kunststoffwerk Lippe GmbH & Co. KG, Industriestraße 44, 32756 Detmold',
        `Ladetermin: ${dotted(days.loads)}, 08:00 - 15:00 Uhr`,
        'Ladereferenz: LR 77120, Ansprechpartner: Herr Brinkmann, Tel. 05231 555 140',
        'Entladestelle: Pannon Autó Kft., Ipar utca 18, HU-9027 Győr',
        `Liefertermin: ${dotted(days.unloads)}, fix 10:00 Uhr`,
        'Ladung: 22 Gitterboxen, Formteile aus Kunststoff, Gesamtgewicht 9.240 kg, stapelbar',
        'Fahrzeug: Planenauflieger mit Spanngurten und Antirutschmatten',
        'Frachtpreis: 1.350,00 EUR netto, Zahlungsziel 45 Tage',
        '',
        'Mit freundlichen Grüßen',
        'Sabine Kötter',
        'Kunststoffwerk Lippe GmbH & Co. KG, Orbker Str. 60, 32758 Detmold',
        'USt-IdNr.: DE 811 234 567',
      ].join('\n'),
      hoursAgo: 1,
    },
    {
      from: { name: 'Logistyka', email: 'logistyka@papiernia-wisla.example' },
      subject: `2 transporty, załadunek ${dotted(days.loads)}`,
      text: [
        'Dzień dobry,',
        '',
        `proszę o realizację dwóch zleceń, załadunek w obu przypadkach ${dotted(days.loads)} godz. 10:00-16:00,`,
        'Papiernia Wisła Sp. z o.o., ul. Portowa 3, 86-100 Świecie.',
        '',
        'Zlecenie 1: nr PW/0118/A',
        `Rozładunek: Druckhaus Elbe GmbH, Meißner Str. 77, 01445 Radebeul, ${dotted(days.unloads)} do 15:00`,
        'Towar: 12 rolek papieru, 14,4 t',
        'Stawka: 780 EUR',
        '',
        'Zlecenie 2: nr PW/0118/B',
        `Rozładunek: Tlačiareň Žilina s.r.o., Kragujevská 12, 010 01 Žilina (SK), ${dotted(days.unloads)} godz. 9:00`,
        'Towar: 18 palet papieru w arkuszach 120x80x100, po 650 kg',
        'Stawka: 690 EUR',
        '',
        'Płatność 30 dni, ceny netto.',
        '',
        'Z poważaniem',
        'Elżbieta Sowa',
        'Papiernia Wisła Sp. z o.o.',
      ].join('\n'),
      hoursAgo: 5,
    },
    {
      from: { name: 'Einkauf Logistik', email: 'logistik@solar-altmark.example' },
      subject: 'Preisanfrage Stendal - Breda',
      text: [
        'Guten Tag,',
        '',
        'bitte bieten Sie uns folgenden Transport an:',
        `Beladung: Solar Altmark GmbH, Industriepark 7, 39576 Stendal, ${dotted(days.loads)}`,
        'Entladung: Zonneveld BV, Konijnenberg 40, 4825 BD Breda',
        '24 Paletten 200x115x120 cm, je 780 kg',
        'Ihr Angebot erbitten wir bis morgen 12 Uhr.',
        '',
        'Mit freundlichen Grüßen',
        'Einkauf Logistik',
      ].join('\n'),
      hoursAgo: 22,
    },
    {
      from: { name: 'Messe Verkehr und Lager', email: 'news@messe-lager.example' },
      subject: 'Ihre Freikarte für die Fachtage Lager und Verkehr',
      text: [
        'Sehr geehrte Damen und Herren,',
        '',
        'im Frühjahr finden wieder unsere Fachtage statt.',
        'Als Aussteller der letzten Jahre erhalten Sie zwei Freikarten.',
        'Wir freuen uns auf Ihren Besuch.',
        '',
        'Ihr Messeteam',
      ].join('\n'),
      hoursAgo: 27,
    },
  ]
}

/** Six orders of customers, as each of them writes, then what is about orders, and what strangers send. */
async function mailsOf(ctx: Ctx): Promise<SeededMail[]> {
  const today = nowOf(ctx).slice(0, 10)
  const driven = await sourcesOf(ctx, ['delivered', 'completed'])
  const ofEach = (['de', 'pl', 'en'] as const).flatMap((language) =>
    driven.filter((one) => one.language === language).slice(0, 2),
  )
  // A small demo may have one customer alone who writes in a language.
  const picked = [...ofEach, ...driven.filter((one) => !ofEach.includes(one))].slice(0, 6)
  const orders = picked.map((one, index): SeededMail => {
    const number = `${one.customerTitle.slice(0, 2).toUpperCase()}-${4410 + 17 * index}`
    const days = { loads: workday(today, 1 + (index % 3)), unloads: workday(today, 3 + (index % 3)) }
    return {
      from: senderOf(one),
      subject: `${SUBJECTS[one.language]} ${number} ${one.loads.city} - ${one.unloads.city}`,
      text: LETTERS[one.language](one, number, days),
      hoursAgo: 2 + 4 * index,
    }
  })
  return [...orders, ...changesOf(await sourcesOf(ctx, ['new', 'scheduled']), today), ...strangersOf(today)]
}

const encoded = (words: string): string => `=?utf-8?B?${Buffer.from(words).toString('base64')}?=`

/** What a mail program would have sent. */
const emlOf = ({ from, subject, text, hoursAgo }: SeededMail, index: number, now: number): string =>
  [
    `Message-ID: <demo-${index}@${from.email.split('@')[1]!}>`,
    `From: ${encoded(from.name)} <${from.email}>`,
    'To: orders@waybill.example',
    `Date: ${new Date(now - hoursAgo * 3_600_000).toUTCString().replace('GMT', '+0000')}`,
    `Subject: ${encoded(subject)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    ...text.split('\n'),
  ].join('\r\n')

/** Twelve mails that wait in *Order mails*, as if a mailbox had been read this morning. */
export async function seedIntakeMails(ctx: Ctx, kept: string[]): Promise<number> {
  const { files } = ctx.ports
  // A demo that comes to nothing leaves no file.
  const noted = {
    ...files,
    async keep(staged: Parameters<typeof files.keep>[0]) {
      const key = await files.keep(staged)
      kept.push(key)
      return key
    },
  }
  const within = { ...ctx, ports: { ...ctx.ports, files: noted } }
  const mails = await mailsOf(ctx)
  const now = Date.parse(nowOf(ctx))
  for (const [index, mail] of mails.entries())
    await takeFromMailbox(within, Readable.from([Buffer.from(emlOf(mail, index, now))]))
  return mails.length
}
