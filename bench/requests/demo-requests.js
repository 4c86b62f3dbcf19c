// What is asked of a demo year: what the lists show is found through the API, so that it fits any of them.

/** The body of a new order with so many lines of cargo, from Hamburg to Poznań. `get` answers a path of the API. */
export async function orderOf(get, lines) {
  const firstOf = async (path) => (await get(path)).items[0].id
  const country = async (title) => (await get(`countries?q=${title}`)).items[0].id
  const cargo = Array.from({ length: lines }, (_, at) => ({
    key: String(at),
    title: at % 2 === 0 ? 'Maschinenteile' : 'Ersatzteile',
    quantity: 1 + (at % 4),
    lengthCm: 120,
    widthCm: 80,
    heightCm: 100 + (at % 40),
    weightKg: 180 + at,
  }))
  const stop = (kind, countryId, city, action) => ({
    kind,
    termin: { kind: 'period', dateFrom: '2026-12-01', timeFrom: '08:00', timeTo: '16:00' },
    countryId,
    postal: '22113',
    city,
    companyTitle: `Lager ${city}`,
    address: 'Industriestraße 12',
    cargoActions: cargo.map(({ key }) => ({ cargoKey: key, action })),
  })
  return {
    customerIds: [await firstOf('customers')],
    customerOrderNumber: 'PO-77123',
    departmentId: await firstOf('departments'),
    customerPriceCents: 118_000,
    customerVatBp: 1900,
    paymentPeriodDays: 30,
    description: 'Palettentausch, Avis am Vortag',
    cargo,
    locations: [
      stop('loading', await country('Germany'), 'Hamburg', 'PICK_UP'),
      stop('unloading', await country('Poland'), 'Poznań', 'DROP_OFF'),
    ],
    routes: [{ distanceKm: 560 }],
  }
}

/** The body of a customer with so many contact persons, and of a carrier with so many drivers. */
export async function crowdedPartners(get, lines) {
  const { items } = await get('countries?q=Germany')
  const of = (line) => Array.from({ length: lines }, (_, at) => line(at + 1))
  return {
    customers: {
      title: 'Crowd AG',
      countryId: items[0].id,
      contactPersons: of((n) => ({
        fullName: `Person ${n}`,
        position: 'Logistics',
        phone: '+49 40 5550 1204',
        email: `person${n}@crowd.example`,
      })),
    },
    'carrier-companies': {
      title: 'Crowd Transport GmbH',
      countryId: items[0].id,
      drivers: of((n) => ({ fullName: `Driver ${n}`, phone: '+49 171 5550 1204', plateNumber: `HH-CT ${n}` })),
    },
  }
}

/** A working day in small: lists as the screen asks for them, searches, single orders; and new orders. */
export async function dayOf(get, headers) {
  const detailed = { ...headers, 'additional-groups': 'detailed' }
  const ask = (path) => ({ method: 'GET', path: `/api/${path}`, headers: detailed })
  const { items } = await get('orders?perPage=100')
  const list = ['', 'status[]=scheduled', 'status[]=in_transit', 'status[]=completed', 'page=3'].map((query) =>
    ask(`orders?${query}`),
  )
  const search = items
    .slice(0, 10)
    .map(({ number, from }) => ask(`orders?q=${encodeURIComponent(from?.city ?? number)}`))
  const detail = items.slice(0, 40).map(({ id }) => ask(`orders/${id}`))
  return {
    reads: [...list, ...search, ...detail],
    writes: [{ method: 'POST', path: '/api/orders', headers: detailed, body: JSON.stringify(await orderOf(get, 2)) }],
  }
}
