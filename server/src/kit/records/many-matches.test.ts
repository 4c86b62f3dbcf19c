import { describe, expect, it } from 'vitest'
import { useTestApp } from '../../../test/app.ts'

const test = useTestApp()

const list = async (query = '') => (await test.admin.get(`salutations?perPage=10${query}`)).body
const titles = ({ items }: { items: { title: string }[] }) => items.map(({ title }) => title)

const fill = (count: number) =>
  test.asOwner(`
    insert into salutation (title, gender, "countryId")
    select 'Many ' || lpad(n::text, 5, '0'), 'male', (select min(id) from country) from generate_series(1, ${count}) n`)
const leave = (count: number) =>
  test.asOwner(`delete from salutation where title > 'Many ${`${count}`.padStart(5, '0')}'`)

describe('a list with more rows than are counted', () => {
  it('says so, and goes on to say so without counting again, sorted and walked as before', async () => {
    await fill(10_100)
    const first = await list('&q=many')
    expect(first).toMatchObject({ total: 10_000, totalIsExact: false, page: 1 })
    const again = await list('&q=many')
    expect(again).toEqual(first)
    expect(titles(await list('&q=many&page=3')).at(0)).toBe('Many 00021')
    expect(titles(await list('&q=many&sort=-title')).at(0)).toBe('Many 10100')
    const after = await list(`&q=many&cursor=${first.nextCursor}`)
    expect(after).toMatchObject({ total: 10_000, totalIsExact: false, page: null })
    expect(titles(after)).toEqual(titles(await list('&q=many&page=2')))
    expect(titles(await list('&q=many&page=1010')).at(-1)).toBe('Many 10100')
  })

  it('is taken to have them for a while more, up to the page on which it ends', async () => {
    await leave(9990)
    expect(await list('&q=many&page=2')).toMatchObject({ total: 10_000, totalIsExact: false })
    expect(await list('&q=many&page=999')).toMatchObject({ total: 9990, totalIsExact: true })
    expect(await list('&q=many&page=2')).toMatchObject({ total: 9990, totalIsExact: true })
  })

  it('is counted for others by their own filters', async () => {
    // 00777, and 07770 to 07779
    expect(await list('&q=many 0777')).toMatchObject({ total: 11, totalIsExact: true })
    expect(await list('&gender[]=female')).toMatchObject({ totalIsExact: true })
  })

  it('is counted at once where a page shows that it has become short', async () => {
    await leave(20)
    expect(await list('&q=many&page=2')).toMatchObject({ total: 20, totalIsExact: true })
    expect(titles(await list('&q=many&page=2'))).toHaveLength(10)
    expect(await list('&q=many')).toMatchObject({ total: 20, totalIsExact: true })
  })

  it('is counted once it has become empty', async () => {
    await leave(0)
    await fill(10_100)
    expect(await list('&q=many')).toMatchObject({ totalIsExact: false })
    await leave(0)
    expect(await list('&q=many')).toMatchObject({ items: [], total: 0, totalIsExact: true, nextCursor: null })
  })
})
