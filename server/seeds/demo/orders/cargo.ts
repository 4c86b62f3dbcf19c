import { ldmOf } from '@waybill/contract/order/cargo'
import type { Language } from '@waybill/contract/errors'
import type { Industry } from '../partners/companies.ts'
import type { Random } from '../random.ts'

type Words = Readonly<Record<Language, string>>

/** A kind of goods as it is packed; weights in kg per unit, sizes in cm, value in cents per kg. */
interface Goods {
  title: Words
  cargoType: string
  unit: string
  size: readonly [length: number, width: number, heightFrom: number, heightTo: number]
  kg: readonly [from: number, to: number]
  stack?: number
  centsPerKg: readonly [from: number, to: number]
  handling?: readonly string[]
  instructions?: Words
  temperature?: readonly [from: number, to: number]
  adr?: { unNumber: string; adrClass: string }
  vehicle?: string
}

const euro = [120, 80] as const
const industrial = [120, 100] as const

const GOODS: Readonly<Record<Industry, readonly Goods[]>> = {
  machinery: [
    {
      title: { en: 'Machine parts', de: 'Maschinenteile', pl: 'części maszyn' },
      cargoType: 'Machinery',
      unit: 'Europallet',
      size: [...euro, 90, 160],
      kg: [280, 680],
      centsPerKg: [400, 900],
    },
    {
      title: { en: 'Gearboxes in crates', de: 'Getriebe in Kisten', pl: 'przekładnie w skrzyniach' },
      cargoType: 'Machinery',
      unit: 'Crate',
      size: [180, 120, 110, 160],
      kg: [600, 1400],
      centsPerKg: [700, 1600],
      handling: ['High value'],
    },
    {
      title: { en: 'Pump units', de: 'Pumpenaggregate', pl: 'agregaty pompowe' },
      cargoType: 'Machinery',
      unit: 'Industrial pallet',
      size: [...industrial, 100, 150],
      kg: [350, 750],
      centsPerKg: [600, 1200],
    },
  ],
  furniture: [
    {
      title: { en: 'Kitchen cabinets', de: 'Küchenschränke', pl: 'szafki kuchenne' },
      cargoType: 'Furniture',
      unit: 'Pallet',
      size: [200, 120, 110, 220],
      kg: [220, 340],
      centsPerKg: [250, 500],
      handling: ['Do not stack'],
    },
    {
      title: { en: 'Upholstered furniture', de: 'Polstermöbel', pl: 'meble tapicerowane' },
      cargoType: 'Furniture',
      unit: 'Piece',
      size: [210, 95, 90, 110],
      kg: [55, 90],
      stack: 2,
      centsPerKg: [500, 900],
      handling: ['Fragile'],
      vehicle: 'Mega trailer',
    },
    {
      title: { en: 'Flat-packed furniture', de: 'Mitnahmemöbel', pl: 'meble w paczkach' },
      cargoType: 'Furniture',
      unit: 'Europallet',
      size: [...euro, 120, 200],
      kg: [300, 520],
      centsPerKg: [200, 400],
    },
  ],
  food: [
    {
      title: { en: 'Drinks in PET bottles', de: 'Getränke in PET', pl: 'napoje w butelkach PET' },
      cargoType: 'Food',
      unit: 'Europallet',
      size: [...euro, 150, 180],
      kg: [640, 730],
      centsPerKg: [50, 110],
      handling: ['Do not stack'],
    },
    {
      title: { en: 'Biscuits and sweets', de: 'Gebäck und Süßwaren', pl: 'ciastka i słodycze' },
      cargoType: 'Food',
      unit: 'Europallet',
      size: [...euro, 170, 210],
      kg: [220, 420],
      centsPerKg: [250, 500],
    },
    {
      title: { en: 'Tinned vegetables', de: 'Gemüsekonserven', pl: 'konserwy warzywne' },
      cargoType: 'Food',
      unit: 'Europallet',
      size: [...euro, 110, 150],
      kg: [600, 720],
      centsPerKg: [90, 180],
    },
    {
      title: { en: 'Flour in big bags', de: 'Mehl in Big Bags', pl: 'mąka w big bagach' },
      cargoType: 'Food',
      unit: 'Big bag',
      size: [110, 110, 130, 160],
      kg: [900, 1000],
      centsPerKg: [40, 70],
      handling: ['Keep upright'],
    },
  ],
  chilled: [
    {
      title: { en: 'Dairy products', de: 'Molkereiprodukte', pl: 'nabiał' },
      cargoType: 'Food',
      unit: 'Europallet',
      size: [...euro, 140, 180],
      kg: [420, 680],
      centsPerKg: [180, 420],
      temperature: [2, 6],
      handling: ['Temperature controlled'],
      vehicle: 'Reefer',
    },
    {
      title: { en: 'Frozen vegetables', de: 'Tiefkühlgemüse', pl: 'mrożone warzywa' },
      cargoType: 'Food',
      unit: 'Europallet',
      size: [...euro, 160, 195],
      kg: [550, 720],
      centsPerKg: [120, 220],
      temperature: [-22, -18],
      handling: ['Temperature controlled'],
      vehicle: 'Reefer',
    },
    {
      title: { en: 'Cheese', de: 'Käse', pl: 'sery' },
      cargoType: 'Food',
      unit: 'Industrial pallet',
      size: [...industrial, 130, 175],
      kg: [500, 780],
      centsPerKg: [450, 800],
      temperature: [2, 8],
      handling: ['Temperature controlled'],
      vehicle: 'Reefer',
    },
  ],
  paper: [
    {
      title: { en: 'Paper reels, lying', de: 'Papierrollen, liegend', pl: 'papier w rolach, na leżąco' },
      cargoType: 'Paper',
      unit: 'Roll',
      size: [180, 125, 125, 125],
      kg: [900, 1500],
      centsPerKg: [70, 130],
      handling: ['Wedges needed'],
      vehicle: 'Curtain-sider 13.6 m',
    },
    {
      title: { en: 'Corrugated board', de: 'Wellpappe', pl: 'tektura falista' },
      cargoType: 'Paper',
      unit: 'Pallet',
      size: [120, 100, 180, 230],
      kg: [260, 420],
      centsPerKg: [60, 120],
    },
    {
      title: { en: 'Folding boxes', de: 'Faltschachteln', pl: 'pudełka składane' },
      cargoType: 'Paper',
      unit: 'Europallet',
      size: [...euro, 120, 190],
      kg: [320, 560],
      centsPerKg: [150, 280],
    },
  ],
  steel: [
    {
      title: { en: 'Steel coils', de: 'Stahlcoils', pl: 'stal w kręgach' },
      cargoType: 'Steel',
      unit: 'Coil',
      size: [130, 130, 120, 150],
      kg: [4500, 8000],
      centsPerKg: [70, 120],
      handling: ['Wedges needed', 'Straps needed'],
      vehicle: 'Coil trailer',
      instructions: {
        en: 'Coil well, anti-slip mats and 8 straps required',
        de: 'Coilmulde, Antirutschmatten und 8 Gurte erforderlich',
        pl: 'wymagana rynna, maty antypoślizgowe i 8 pasów',
      },
    },
    {
      title: { en: 'Bar steel in bundles', de: 'Stabstahl in Bunden', pl: 'pręty stalowe w wiązkach' },
      cargoType: 'Steel',
      unit: 'Bundle',
      size: [620, 40, 30, 40],
      kg: [1600, 2400],
      centsPerKg: [80, 140],
      handling: ['Straps needed'],
      vehicle: 'Curtain-sider 13.6 m',
    },
    {
      title: { en: 'Wire in mesh boxes', de: 'Draht in Gitterboxen', pl: 'drut w gitterboksach' },
      cargoType: 'Steel',
      unit: 'Mesh box',
      size: [124, 83.5, 97, 97],
      kg: [600, 1000],
      stack: 2,
      centsPerKg: [110, 200],
    },
  ],
  chemicals: [
    {
      title: { en: 'Paints in drums', de: 'Lacke in Fässern', pl: 'farby w beczkach' },
      cargoType: 'Chemicals',
      unit: 'Europallet',
      size: [...euro, 100, 130],
      kg: [480, 760],
      centsPerKg: [250, 500],
      handling: ['Dangerous goods (ADR)'],
      adr: { unNumber: '1263', adrClass: '3' },
    },
    {
      title: { en: 'Cleaning agent in IBCs', de: 'Reiniger im IBC', pl: 'środek czyszczący w IBC' },
      cargoType: 'Chemicals',
      unit: 'IBC',
      size: [120, 100, 116, 116],
      kg: [1050, 1180],
      centsPerKg: [90, 200],
      handling: ['Keep upright'],
    },
    {
      title: { en: 'Adhesives', de: 'Klebstoffe', pl: 'kleje' },
      cargoType: 'Chemicals',
      unit: 'Europallet',
      size: [...euro, 100, 140],
      kg: [420, 700],
      centsPerKg: [300, 600],
    },
  ],
  automotive: [
    {
      title: { en: 'Pressed parts in mesh boxes', de: 'Pressteile in Gitterboxen', pl: 'wytłoczki w gitterboksach' },
      cargoType: 'Automotive parts',
      unit: 'Mesh box',
      size: [124, 83.5, 97, 97],
      kg: [350, 900],
      stack: 2,
      centsPerKg: [350, 700],
    },
    {
      title: { en: 'Wiring harnesses', de: 'Kabelbäume', pl: 'wiązki kablowe' },
      cargoType: 'Automotive parts',
      unit: 'Europallet',
      size: [...euro, 100, 145],
      kg: [140, 280],
      stack: 2,
      centsPerKg: [1500, 3000],
    },
    {
      title: { en: 'Castings', de: 'Gussteile', pl: 'odlewy' },
      cargoType: 'Automotive parts',
      unit: 'Europallet',
      size: [...euro, 60, 90],
      kg: [700, 1000],
      centsPerKg: [300, 500],
    },
  ],
  building: [
    {
      title: { en: 'Tiles', de: 'Fliesen', pl: 'płytki ceramiczne' },
      cargoType: 'Building materials',
      unit: 'Europallet',
      size: [...euro, 70, 95],
      kg: [850, 1150],
      centsPerKg: [60, 140],
      handling: ['Fragile'],
    },
    {
      title: { en: 'Insulation boards', de: 'Dämmplatten', pl: 'płyty izolacyjne' },
      cargoType: 'Building materials',
      unit: 'Pallet',
      size: [240, 120, 240, 260],
      kg: [120, 240],
      centsPerKg: [150, 300],
      vehicle: 'Mega trailer',
    },
    {
      title: { en: 'Windows on racks', de: 'Fenster auf Gestellen', pl: 'okna na stojakach' },
      cargoType: 'Building materials',
      unit: 'Piece',
      size: [240, 100, 200, 240],
      kg: [380, 620],
      centsPerKg: [500, 900],
      handling: ['Fragile', 'Do not stack'],
    },
    {
      title: { en: 'Dry mortar in bags', de: 'Trockenmörtel, Sackware', pl: 'zaprawa w workach' },
      cargoType: 'Building materials',
      unit: 'Europallet',
      size: [...euro, 100, 120],
      kg: [1000, 1200],
      centsPerKg: [20, 40],
    },
  ],
  textiles: [
    {
      title: { en: 'Fabric on rolls', de: 'Stoffe auf Rollen', pl: 'tkaniny w belach' },
      cargoType: 'Textiles',
      unit: 'Pallet',
      size: [160, 100, 120, 170],
      kg: [280, 460],
      centsPerKg: [700, 1500],
    },
    {
      title: { en: 'Workwear in cartons', de: 'Berufskleidung in Kartons', pl: 'odzież robocza w kartonach' },
      cargoType: 'Textiles',
      unit: 'Europallet',
      size: [...euro, 140, 200],
      kg: [180, 320],
      centsPerKg: [900, 1800],
    },
  ],
  electronics: [
    {
      title: { en: 'Lamps', de: 'Leuchten', pl: 'lampy' },
      cargoType: 'Electronics',
      unit: 'Europallet',
      size: [...euro, 140, 200],
      kg: [120, 260],
      centsPerKg: [1500, 3500],
      handling: ['Fragile'],
    },
    {
      title: { en: 'Control cabinets', de: 'Schaltschränke', pl: 'szafy sterownicze' },
      cargoType: 'Electronics',
      unit: 'Industrial pallet',
      size: [...industrial, 200, 230],
      kg: [260, 480],
      centsPerKg: [2500, 6000],
      handling: ['High value', 'Do not stack', 'Keep upright'],
    },
  ],
  consumer: [
    {
      title: { en: 'Household goods', de: 'Haushaltswaren', pl: 'artykuły domowe' },
      cargoType: 'General cargo',
      unit: 'Europallet',
      size: [...euro, 130, 200],
      kg: [160, 340],
      centsPerKg: [400, 900],
    },
    {
      title: { en: 'Garden furniture', de: 'Gartenmöbel', pl: 'meble ogrodowe' },
      cargoType: 'Furniture',
      unit: 'Pallet',
      size: [140, 110, 180, 230],
      kg: [150, 260],
      centsPerKg: [400, 800],
    },
    {
      title: { en: 'Toys', de: 'Spielwaren', pl: 'zabawki' },
      cargoType: 'General cargo',
      unit: 'Europallet',
      size: [...euro, 150, 210],
      kg: [110, 240],
      centsPerKg: [700, 1500],
      stack: 1,
    },
  ],
}

export type LoadSize = 'full' | 'part' | 'groupage'

/** A line of cargo before it has ids; its fields are those of an order's body. */
export interface CargoLine {
  key: string
  /** whose it is, where the order has several customers */
  customerId?: number
  title: string
  cargoType: string
  unit: string
  quantity: number
  lengthCm: number
  widthCm: number
  heightCm: number
  stackingFactor: number
  weightKg: number
  valueCents: number | null
  handling: readonly string[]
  instructions: string | null
  temperature: readonly [from: number, to: number] | null
  adr: Goods['adr'] | null
  ldm: number
  packages?: number
  /** where somebody knew better than the dimensions */
  volumeM3?: number
  typedLdm?: number
}

const MAX_KG = 24_000
const MAX_LDM = 13.6

/** As many units as the wanted length and the truck's weight take, at least one. */
function unitsFor(random: Random, goods: Goods, size: LoadSize, kgPerUnit: number): number {
  const wanted =
    size === 'full'
      ? random.between(12.4, MAX_LDM)
      : size === 'part'
        ? random.between(2.2, 8.5)
        : random.between(0.3, 2.2)
  const stack = goods.stack ?? 1
  const perPlace = (goods.size[0] * goods.size[1]) / 24_000
  const byLength = Math.max(1, Math.floor(wanted / perPlace + 0.001)) * stack
  return Math.max(1, Math.min(byLength, Math.floor(MAX_KG / kgPerUnit)))
}

/** What one truck, or a part of one, carries for a customer; `drops` stops share it. Also the vehicle that it needs. */
export function loadOf(
  random: Random,
  industry: Industry,
  { size, drops, language }: { size: LoadSize; drops: number; language: Language },
): { lines: CargoLine[]; vehicle: string } {
  const goods = random.pick(GOODS[industry])
  const kgPerUnit = Math.round(random.between(...goods.kg) / 5) * 5
  const units = unitsFor(random, goods, size, kgPerUnit)
  const count = Math.min(drops, units)
  const heightCm = Math.round(random.between(goods.size[2], goods.size[3]))
  const lines = Array.from({ length: count }, (_, index): CargoLine => {
    // The first drop takes what the division leaves over.
    const quantity = Math.floor(units / count) + (index === 0 ? units % count : 0)
    const weightKg = quantity * kgPerUnit
    const measures = {
      quantity,
      lengthCm: goods.size[0],
      widthCm: goods.size[1],
      heightCm,
      stackingFactor: goods.stack ?? 1,
    }
    return {
      ...measures,
      key: `cargo${index + 1}`,
      title: goods.title[language],
      cargoType: goods.cargoType,
      unit: goods.unit,
      weightKg,
      valueCents: random.chance(0.55)
        ? Math.round((weightKg * random.between(...goods.centsPerKg)) / 10_000) * 10_000
        : null,
      handling: goods.handling ?? [],
      instructions: goods.instructions?.[language] ?? null,
      temperature: goods.temperature ?? null,
      adr: goods.adr ?? null,
      ldm: ldmOf(measures) ?? 0,
    }
  })
  const small =
    lines.reduce((sum, line) => sum + line.ldm, 0) <= 2 && lines.reduce((sum, line) => sum + line.weightKg, 0) <= 1100
  const vehicle =
    goods.vehicle ??
    (size === 'groupage'
      ? small
        ? random.pick(['Van', 'Solo truck 7.5 t', 'Solo truck 12 t'])
        : random.pick(['Solo truck 12 t', 'Curtain-sider 13.6 m'])
      : random.weighted([
          ['Curtain-sider 13.6 m', 8],
          ['Mega trailer', 1.5],
          ['Box trailer', 1],
        ]))
  return { lines, vehicle }
}
