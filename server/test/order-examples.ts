import type { OrderInput } from '@waybill/contract/order/order'
import type { TestApp } from './app.ts'
import { giveCarrierPapers } from './carrier-papers.ts'

/** Records that the examples name, by what they are called here. */
export interface OrderWorld {
  departmentId: number
  countries: Record<'DE' | 'PL' | 'NL' | 'CH' | 'IT' | 'BE' | 'FR' | 'AT', number>
  customer(title: string, code: keyof OrderWorld['countries'], more?: Record<string, unknown>): Promise<number>
  carrier: { id: number; driverId: number }
  vehicleTypeId: number
}

type Stop = NonNullable<OrderInput['locations']>[number]
type Line = NonNullable<OrderInput['cargo']>[number]

/** Settings, a cleared carrier with a driver, and customers made when they are first named. */
export async function orderWorld(test: TestApp): Promise<OrderWorld> {
  const codes = ['DE', 'PL', 'NL', 'CH', 'IT', 'BE', 'FR', 'AT'] as const
  const countries = Object.fromEntries(
    await Promise.all(codes.map(async (code) => [code, await test.idOf('country', 'code', code)])),
  ) as OrderWorld['countries']
  const known = new Map<string, number>()
  const carrier = await test.admin.post('carrier-companies', {
    title: 'Trans-Wielkopolska Sp. j.',
    countryId: countries.PL,
    city: 'Poznań',
    drivers: [{ fullName: 'Łukasz Żak', phone: '+48 600 100 200', plateNumber: 'PO 4T112' }],
  })
  await giveCarrierPapers(test.admin, carrier.body.id)
  return {
    departmentId: (await test.admin.get('departments')).body.items[0].id,
    countries,
    carrier: { id: carrier.body.id, driverId: carrier.body.drivers[0].id },
    vehicleTypeId: (await test.admin.get('vehicle-types')).body.items[0].id,
    async customer(title, code, more = {}) {
      const id =
        known.get(title) ?? (await test.admin.post('customers', { title, countryId: countries[code], ...more })).body.id
      known.set(title, id)
      return id
    },
  }
}

const pickUp = (...keys: string[]) => keys.map((cargoKey) => ({ cargoKey, action: 'PICK_UP' as const }))
const dropOff = (...keys: string[]) => keys.map((cargoKey) => ({ cargoKey, action: 'DROP_OFF' as const }))

/** The least that an order can be. */
export const plainOrder = (world: OrderWorld, customerId: number, more: Partial<OrderInput> = {}): OrderInput => ({
  customerIds: [customerId],
  departmentId: world.departmentId,
  ...more,
})

/** One pick-up and one drop-off for one line of cargo. */
export const shipment = (world: OrderWorld): Pick<OrderInput, 'cargo' | 'locations'> => ({
  cargo: [{ key: 'c', title: 'Pallets', quantity: 4, lengthCm: 120, widthCm: 80, heightCm: 100, weightKg: 1200 }],
  locations: [
    {
      key: 'from',
      kind: 'loading',
      termin: { kind: 'fix', dateFrom: '2026-11-30', timeFrom: '08:00' },
      countryId: world.countries.DE,
      city: 'Hamburg',
      cargoActions: pickUp('c'),
    },
    {
      key: 'to',
      kind: 'unloading',
      termin: { kind: 'fix', dateFrom: '2026-12-01', timeFrom: '07:00' },
      countryId: world.countries.PL,
      city: 'Poznań',
      cargoActions: dropOff('c'),
    },
  ],
})

/** A route over all stops with the carrier on it. */
export const carried = (world: OrderWorld, costCents = 90_000): NonNullable<OrderInput['routes']>[number] => ({
  assignment: {
    carrierCompanyId: world.carrier.id,
    driverIds: [world.carrier.driverId],
    plateNumber: 'PO 4T112',
    costCents,
    vatBp: 2300,
  },
})

/** Real transport orders as a forwarder types them in, with the figures that a dispatcher works out. */
export async function exampleOrders(world: OrderWorld) {
  const { DE, PL, NL, CH, IT } = world.countries
  const order = (customerId: number, body: Partial<OrderInput>) => plainOrder(world, customerId, body)
  const stop = (body: Stop): Stop => body
  const pallets = (
    key: string,
    quantity: number,
    lengthCm: number,
    widthCm: number,
    heightCm: number,
    weightKg: number,
    more: Partial<Line> = {},
  ): Line => ({ key, quantity, lengthCm, widthCm, heightCm, weightKg, ...more })

  const nordlicht = await world.customer('Nordlicht Maschinenbau GmbH', 'DE', { city: 'Hamburg' })
  const holding = await world.customer('Nordlicht Holding AG', 'DE', { vatNumber: 'DE136695976', city: 'Hamburg' })
  const meble = await world.customer('Fabryka Mebli Łódź S.A.', 'PL', { language: 'pl', paymentPeriodDays: 60 })
  const alpenfaden = await world.customer('Alpenfaden AG', 'CH')
  const kartonwerk = await world.customer('Kartonwerk Süd GmbH', 'DE')
  const polder = await world.customer('Polder Fresh Logistics B.V.', 'NL')
  const auto = await world.customer('AutoKomponent Sp. z o.o.', 'PL', { paymentPeriodDays: 14 })
  const flachstahl = await world.customer('Flachstahl Salzgitter GmbH', 'DE')
  const gersthofen = stop({
    kind: 'loading',
    termin: { kind: 'period', dateFrom: '2026-12-01', timeFrom: '07:00', timeTo: '15:00' },
    countryId: DE,
    postal: '86368',
    city: 'Gersthofen',
    cargoActions: pickUp('c'),
  })
  const brambilla = {
    key: 'c',
    title: 'Gitterboxen',
    quantity: 5,
    lengthCm: 124,
    widthCm: 83.5,
    heightCm: 97,
    weightKg: 2100,
    stackingFactor: 2,
  }

  return {
    'full truck of machine parts': {
      ldm: 13.2,
      weightKg: 21_120,
      volumeM3: 45.936,
      row: {
        firstLoadingAt: '2026-11-30T07:00:00.000Z',
        lastUnloadingAt: '2026-12-01T06:00:00.000Z',
        viaCount: 0,
        from: { countryCode: 'DE', city: 'Hamburg' },
        to: { countryCode: 'PL', city: 'Poznań' },
      },
      body: order(nordlicht, {
        billingCustomerId: holding,
        customerOrderNumber: '4500129877',
        customerPriceCents: 118_000,
        customerVatBp: 1900,
        paymentPeriodDays: 45,
        isTransshipmentForbidden: true,
        cargo: [pallets('c', 33, 120, 80, 145, 33 * 640, { title: 'Maschinenteile', valueCents: 8_600_000 })],
        locations: [
          {
            kind: 'loading',
            termin: { kind: 'period', dateFrom: '2026-11-30', timeFrom: '08:00', timeTo: '12:00' },
            companyTitle: 'Nordlicht Maschinenbau GmbH',
            address: 'Billbrookdeich 210',
            countryId: DE,
            postal: '22113',
            city: 'Hamburg',
            contactPerson: 'Herr Jansen',
            phone: '+49 40 5550 1204',
            comment: 'Tor 4',
            cargoActions: pickUp('c'),
          },
          {
            kind: 'unloading',
            termin: { kind: 'fix', dateFrom: '2026-12-01', timeFrom: '07:00' },
            companyTitle: 'Wielkopolska Tech Sp. z o.o.',
            address: 'ul. Bukowska 285',
            countryId: PL,
            postal: '60-189',
            city: 'Poznań',
            cargoActions: dropOff('c'),
          },
        ],
      }),
    },
    'furniture for two drops': {
      ldm: 12.4,
      weightKg: 4880,
      volumeM3: null,
      row: {
        firstLoadingAt: '2026-12-02T05:00:00.000Z',
        lastUnloadingAt: '2026-12-04T09:00:00.000Z',
        viaCount: 1,
        from: { countryCode: 'PL', city: 'Łódź' },
        to: { countryCode: 'DE', city: 'Frechen' },
      },
      body: order(meble, {
        customerOrderNumber: 'ZT/11/0341',
        customerPriceCents: 145_000,
        customerVatBp: 0,
        cargo: [
          pallets('a', 9, 200, 120, 110, 9 * 310),
          pallets('b', 6, 120, 80, 220, 6 * 280),
          pallets('k', 2, 120, 100, 160, 410, { packages: 40, volumeM3: 3.2 }),
        ],
        locations: [
          {
            kind: 'loading',
            termin: { kind: 'period', dateFrom: '2026-12-02', timeFrom: '06:00', timeTo: '14:00' },
            countryId: PL,
            postal: '93-490',
            city: 'Łódź',
            cargoActions: pickUp('a', 'b', 'k'),
          },
          {
            kind: 'unloading',
            termin: { kind: 'before', dateFrom: '2026-12-03', timeFrom: '16:00' },
            companyTitle: 'Möbelhaus Kröger',
            countryId: DE,
            postal: '33689',
            city: 'Bielefeld',
            cargoActions: dropOff('a'),
          },
          {
            kind: 'unloading',
            termin: { kind: 'period', dateFrom: '2026-12-04', timeFrom: '08:00', timeTo: '10:00' },
            companyTitle: 'Wohnwelt Rhein GmbH',
            countryId: DE,
            postal: '50226',
            city: 'Frechen',
            cargoActions: dropOff('b', 'k'),
          },
        ],
      }),
    },
    'part load to Basel over the customs': {
      ldm: 2,
      weightKg: 2300,
      volumeM3: 7.68,
      row: {
        firstLoadingAt: '2026-11-26T09:00:00.000Z',
        lastUnloadingAt: '2026-11-30T11:00:00.000Z',
        viaCount: 1,
        from: { countryCode: 'PL', city: 'Wrocław' },
        to: { countryCode: 'CH', city: 'Basel' },
      },
      body: order(alpenfaden, {
        customerOrderNumber: 'PO 77-2026',
        customerPriceCents: 69_000,
        customerVatBp: 0,
        cargo: [pallets('c', 4, 120, 100, 160, 2300, { valueCents: 5_420_000 })],
        locations: [
          {
            kind: 'loading',
            termin: { kind: 'period', dateFrom: '2026-11-26', timeFrom: '10:00', timeTo: '15:00' },
            countryId: PL,
            city: 'Wrocław',
            cargoActions: pickUp('c'),
          },
          { kind: 'customs', companyTitle: 'Zollservice Dreiländereck', countryId: DE, city: 'Weil am Rhein' },
          {
            kind: 'unloading',
            termin: { kind: 'before', dateFrom: '2026-11-30', timeFrom: '12:00' },
            countryId: CH,
            postal: '4057',
            city: 'Basel',
            cargoActions: dropOff('c'),
          },
        ],
      }),
    },
    'mesh boxes, two on each other': {
      ldm: 1.294,
      weightKg: 2100,
      volumeM3: null,
      row: { viaCount: 0, to: { countryCode: 'IT', city: 'Milano' } },
      body: order(kartonwerk, {
        customerPriceCents: 41_000,
        customerVatBp: 1900,
        cargo: [brambilla],
        locations: [
          gersthofen,
          {
            kind: 'unloading',
            termin: { kind: 'before', dateFrom: '2026-12-03', timeFrom: '12:00' },
            countryId: IT,
            city: 'Milano',
            cargoActions: dropOff('c'),
          },
        ],
      }),
    },
    'chilled goods from two pick-ups': {
      ldm: 11.8,
      weightKg: 15_340,
      volumeM3: null,
      row: {
        firstLoadingAt: '2026-12-02T13:00:00.000Z',
        lastUnloadingAt: '2026-12-04T05:00:00.000Z',
        viaCount: 1,
        from: { countryCode: 'NL', city: 'Rotterdam' },
        to: { countryCode: 'PL', city: 'Ożarów Mazowiecki' },
      },
      body: order(polder, {
        customerPriceCents: 235_000,
        customerVatBp: 0,
        cargo: [
          pallets('r', 14, 120, 100, 180, 9100, { temperatureFrom: 2, temperatureTo: 8 }),
          pallets('v', 12, 120, 80, 175, 6240, { temperatureFrom: 2, temperatureTo: 8 }),
        ],
        locations: [
          {
            kind: 'loading',
            termin: { kind: 'fix', dateFrom: '2026-12-02', timeFrom: '14:00' },
            reference: 'RCS-88120',
            countryId: NL,
            city: 'Rotterdam',
            cargoActions: pickUp('r'),
          },
          {
            kind: 'loading',
            termin: { kind: 'period', dateFrom: '2026-12-02', timeFrom: '18:00', timeTo: '20:00' },
            reference: 'VFH-2231',
            countryId: NL,
            city: 'Venlo',
            cargoActions: pickUp('v'),
          },
          {
            kind: 'unloading',
            termin: { kind: 'period', dateFrom: '2026-12-04', timeFrom: '04:00', timeTo: '06:00' },
            countryId: PL,
            city: 'Ożarów Mazowiecki',
            cargoActions: dropOff('r', 'v'),
          },
        ],
      }),
    },
    'urgent van': {
      ldm: 0.4,
      weightKg: 380,
      volumeM3: 0.96,
      row: { firstLoadingAt: '2026-11-24T05:00:00.000Z', lastUnloadingAt: '2026-11-24T16:00:00.000Z', viaCount: 0 },
      body: order(auto, {
        customerPriceCents: 78_000,
        paymentPeriodDays: 14,
        vehicleTypeId: world.vehicleTypeId,
        cargo: [pallets('c', 1, 120, 80, 100, 380, { title: 'części do linii', valueCents: 1_200_000 })],
        locations: [
          {
            kind: 'loading',
            termin: { kind: 'fix', dateFrom: '2026-11-24', timeFrom: '06:00' },
            companyTitle: 'AutoKomponent',
            address: 'ul. Rzemieślnicza 11',
            countryId: PL,
            postal: '40-265',
            city: 'Katowice',
            comment: 'portier da kwit',
            cargoActions: pickUp('c'),
          },
          {
            kind: 'unloading',
            termin: { kind: 'before', dateFrom: '2026-11-24', timeFrom: '17:00' },
            companyTitle: 'Donau Montagewerk',
            address: 'Ringlerstr. 28',
            countryId: DE,
            postal: '85057',
            city: 'Ingolstadt',
            contactPerson: 'Herr Aigner',
            phone: '+49 841 555 606',
            comment: 'brama 3',
            cargoActions: dropOff('c'),
          },
        ],
      }),
    },
    'steel beams, too heavy and without a price': {
      ldm: 13.4,
      weightKg: 25_800,
      volumeM3: null,
      row: {
        customerOrderNumber: 'SZG-„Ostsee“/26 & Co <dringend>',
        customerPriceCents: null,
        incomeCents: null,
        marginBp: null,
        lastUnloadingAt: '2026-12-08T22:59:59.999Z',
      },
      body: order(flachstahl, {
        customerOrderNumber: 'SZG-„Ostsee“/26 & Co <dringend>',
        cargo: [pallets('c', 12, 1340, 60, 45, 12 * 2150, { title: 'Träger', stackingFactor: 3 })],
        locations: [
          {
            kind: 'loading',
            termin: { kind: 'period', dateFrom: '2026-11-30', dateTo: '2026-12-04' },
            countryId: DE,
            city: 'Salzgitter',
            cargoActions: pickUp('c'),
          },
          {
            kind: 'unloading',
            termin: { kind: 'before', dateFrom: '2026-12-08' },
            countryId: PL,
            postal: '81-184',
            city: 'Gdynia',
            cargoActions: dropOff('c'),
          },
        ],
      }),
    },
  } satisfies Record<string, { body: OrderInput; ldm: number; weightKg: number; volumeM3: number | null; row: object }>
}

/** Somebody who works on orders, with a telephone of their own, and who can leave. */
export async function caseWorker(app: TestApp) {
  const { id, email, caller } = await app.userWith('ORDERS_MANAGEMENT')
  const change = async (values: object) => {
    const { version } = (await app.admin.get(`users/${id}`)).body
    const { status, body } = await app.admin.patch(`users/${id}`, values, { version })
    if (status !== 200) throw new Error(`the user was not changed: ${JSON.stringify(body)}`)
    return body
  }
  const { fullName, phone } = await change({ phone: `+49 170 55${String(id).padStart(5, '0')}` })
  return {
    id,
    email,
    caller,
    /** as a public page names them */
    contact: { name: fullName as string, phone: phone as string },
    leave: async (): Promise<void> => {
      await change({ state: 'inactive' })
    },
  }
}
