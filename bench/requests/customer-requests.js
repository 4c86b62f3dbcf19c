// What the customers' screens ask, by case: their list as it opens, filtered, searched,
// walked; the select box; one record.

const query = (parameters) => new URLSearchParams(parameters).toString()

export async function customerRequests(recorder, client, headers) {
  const rows = async (text) => (await client.query(text)).rows
  const customers = await rows(
    `select id, title, city, "vatNumber" from customer tablesample bernoulli (5)
     where state = 'active' order by random() limit 200`,
  )
  const countries = (await rows(`select "countryId" as id from customer group by 1 order by count(*) desc`)).map(
    ({ id }) => id,
  )
  const [{ id: responsible }] = await rows(
    `select "responsibleUserId" as id from customer group by 1 order by count(*) desc limit 1`,
  )
  const get = (parameters) => ({
    method: 'GET',
    path: `/api/customers?${query({ state: 'active', ...parameters })}`,
    headers,
  })
  const { 'additional-groups': _detailed, ...compact } = headers
  const searches = customers
    .slice(0, 60)
    .map(
      ({ title, city, vatNumber }, index) =>
        [title.split(' ')[0], `${city ?? ''} ${title.slice(0, 5)}`.trim(), vatNumber ?? title, title][index % 4],
    )

  const cursors = []
  for (let page = 1; page <= 4000; page += 200) {
    const { body } = await recorder.ask(get({ page }))
    if (body.nextCursor) cursors.push(body.nextCursor)
  }
  return {
    list: [get({})],
    'filtered list': [
      get({ 'countryId[]': countries[0] }),
      get({ 'countryId[]': countries.at(-1) }),
      get({ 'responsibleUserId[]': responsible }),
      get({ 'countryId[]': countries[1], 'responsibleUserId[]': responsible, sort: '-createdAt' }),
      get({ state: 'inactive', sort: 'city' }),
    ],
    search: searches.map((q) => get({ q })),
    'select box': searches.slice(0, 20).map((q) => ({ ...get({ q, perPage: 50 }), headers: compact })),
    detail: customers.map(({ id }) => ({ method: 'GET', path: `/api/customers/${id}`, headers })),
    keyset: cursors.map((cursor) => get({ cursor })),
  }
}
