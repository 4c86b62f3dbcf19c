import { degrees, PDFDocument, rgb, StandardFonts, type PDFFont, type PDFPage } from '@cantoo/pdf-lib'
import { localOf } from '@waybill/contract/kit/local-time'
import { fold } from '@waybill/contract/kit/text'
import { createRandom, type Random } from '../random.ts'
import type { StoredOrder } from './write-orders.ts'
import { zoneOf, type World } from '../world.ts'

const A4 = [595.28, 841.89] as const
const INK = rgb(0.13, 0.13, 0.16)
const FORM = rgb(0.55, 0.16, 0.18)
const PEN = rgb(0.1, 0.17, 0.5)

/** As a dot-matrix printer in a dispatch office writes: capitals, no accents. */
const typed = (text: string): string =>
  fold(text)
    .toUpperCase()
    .replace(/[^\x20-\x7e]/g, ' ')

interface Sheet {
  page: PDFPage
  label: PDFFont
  type: PDFFont
}

function box(
  { page, label, type }: Sheet,
  [x, y, width, height]: readonly [number, number, number, number],
  title: string,
  lines: readonly (string | null)[],
): void {
  page.drawRectangle({ x, y, width, height, borderColor: FORM, borderWidth: 0.7 })
  page.drawText(title, { x: x + 4, y: y + height - 9, size: 6, font: label, color: FORM })
  const most = Math.floor((width - 10) / 5.1)
  lines
    .filter((line) => line !== null)
    .forEach((line, index) =>
      page.drawText(typed(line).slice(0, most), {
        x: x + 6,
        y: y + height - 22 - index * 11,
        size: 8.5,
        font: type,
        color: INK,
      }),
    )
}

/** A hand in a hurry: loops from left to right. */
function signature(random: Random, page: PDFPage, x: number, y: number): void {
  let path = 'M 0 0'
  let at = 0
  for (let stroke = 0; stroke < 7; stroke += 1) {
    const next = at + random.int(6, 15)
    path +=
      ` C ${at + random.int(-4, 8)} ${random.int(-22, -6)}, ${next + random.int(-8, 2)} ${random.int(4, 16)}, ` +
      `${next} ${random.int(-4, 3)}`
    at = next
  }
  page.drawSvgPath(path, { x, y, borderColor: PEN, borderWidth: 1.1 })
}

function stamp(sheet: Sheet, random: Random, x: number, y: number, lines: readonly string[]): void {
  const rotate = degrees(random.int(-9, 9))
  sheet.page.drawRectangle({
    x,
    y,
    width: 134,
    height: 44,
    borderColor: PEN,
    borderWidth: 1.4,
    rotate,
    opacity: 0,
    borderOpacity: 0.75,
  })
  lines.forEach((line, index) =>
    sheet.page.drawText(typed(line).slice(0, 22), {
      x: x + 7,
      y: y + 30 - index * 11,
      size: 7.5,
      font: sheet.label,
      color: PEN,
      rotate,
      opacity: 0.8,
    }),
  )
}

/**
 * The consignment note as it comes back signed: one page with the order's number, its goods, and who received them
 * when.
 */
export async function podPdf(world: Pick<World, 'countries'>, { number, planned, life }: StoredOrder): Promise<Buffer> {
  // A stream of its own: which files are made does not change what the rest of the year looks like.
  const random = createRandom(Number(number.replace('-', '')))
  const document = await PDFDocument.create()
  document.setTitle(`CMR ${number}`)
  document.setCreationDate(new Date(life.podAt ?? planned.createdAt))
  document.setModificationDate(new Date(life.podAt ?? planned.createdAt))
  const sheet: Sheet = {
    page: document.addPage([...A4]),
    label: await document.embedFont(StandardFonts.HelveticaBold),
    type: await document.embedFont(StandardFonts.Courier),
  }
  const { page } = sheet
  page.drawRectangle({ x: 0, y: 0, width: A4[0], height: A4[1], color: rgb(0.985, 0.98, 0.965) })
  page.drawText('CMR', { x: 44, y: 786, size: 26, font: sheet.label, color: FORM })
  page.drawText('Internationaler Frachtbrief · International consignment note · Miedzynarodowy list przewozowy', {
    x: 110,
    y: 796,
    size: 7.5,
    font: sheet.label,
    color: FORM,
  })
  page.drawText(`No. ${number}`, { x: 470, y: 786, size: 11, font: sheet.type, color: INK })

  const loading = planned.stops.findIndex((stop) => stop.kind === 'loading')
  const unloading = planned.stops.findLastIndex((stop) => stop.kind === 'unloading' && !stop.canceledAt)
  const [from, to] = [planned.stops[loading]!, planned.stops[unloading]!]
  const assigned = life.assigned[0]!
  const received = life.times[unloading]!.unloadedAt ?? life.podAt!
  const local = localOf(received, zoneOf(world, to.place.countryCode))
  const taken = localOf(life.times[loading]!.loadedAt ?? received, zoneOf(world, from.place.countryCode))
  const town = ({ place }: typeof from) => `${place.countryCode} ${place.postal} ${place.city}`

  box(sheet, [40, 690, 258, 82], '1  Absender / Sender / Nadawca', [
    from.place.companyTitle,
    from.place.address,
    town(from),
  ])
  box(sheet, [298, 690, 258, 82], '16  Frachtführer / Carrier / Przewoznik', [
    assigned.carrier?.title ?? 'Waybill Spedition GmbH',
    assigned.drivers[0]?.fullName ?? null,
    assigned.plateNumber,
  ])
  box(sheet, [40, 608, 258, 82], '2  Empfänger / Consignee / Odbiorca', [
    to.place.companyTitle,
    to.place.address,
    town(to),
  ])
  box(sheet, [298, 608, 258, 82], '4  Übernahme / Taking over / Przejecie', [
    town(from),
    `${taken.date} ${taken.time}`,
    planned.customerOrderNumber,
  ])
  const goods = planned.cargo.slice(0, 12)
  box(
    sheet,
    [40, 430, 516, 178],
    '6-12  Stück, Verpackung, Ware, kg, m3 / Packages, nature of goods, kg / Liczba, rodzaj, kg',
    [
      ...goods.map(
        (line) =>
          `${String(line.quantity).padStart(5)} ${line.unit.slice(0, 18).padEnd(19)} ` +
          `${line.title.slice(0, 34).padEnd(35)} ${String(line.weightKg).padStart(6)} KG`,
      ),
      planned.cargo.length > goods.length ? '      ...' : null,
    ],
  )
  box(sheet, [40, 370, 516, 60], '13  Anweisungen / Instructions', [
    planned.cargo[0]?.instructions ?? null,
    planned.cargo.some((line) => line.temperature) ? `TEMP ${planned.cargo[0]!.temperature?.join(' / ')} C` : null,
  ])
  box(sheet, [40, 190, 172, 180], '22  Absender / Sender', [])
  box(sheet, [212, 190, 172, 180], '23  Frachtführer / Carrier', [assigned.plateNumber])
  box(sheet, [384, 190, 172, 180], '24  Empfangen / Goods received', [`${local.date} ${local.time}`])
  signature(random, page, 62, 262)
  signature(random, page, 236, 258)
  signature(random, page, 404, 250)
  stamp(sheet, random, 50, 290, [from.place.companyTitle, from.place.city])
  stamp(sheet, random, 398, 285, [to.place.companyTitle, to.place.city, local.date])
  return Buffer.from(await document.save())
}
