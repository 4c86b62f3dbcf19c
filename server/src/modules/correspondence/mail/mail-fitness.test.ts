import { writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { templateKey, type RenderedMail } from '@waybill/contract/email/template'
import type { Order } from '@waybill/contract/order/order'
import { useTestApp } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { startMailServer } from '../../../../test/mail-server.ts'
import { carried, exampleOrders, orderWorld, type OrderWorld } from '../../../../test/order-examples.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail } from '../../email/index.ts'
import { STANDARD_TEXT_NAMES, standardText } from '../../mail-template/standard-texts.ts'

/*
 * Mail programs know little of HTML: some drop style sheets, some know no flex and no grid, some turn light into dark.
 * Every standard text must be readable in all of them, with a real order in it.
 */

/** 1 × 1 pixel, as PNG. */
const GREY_DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

const test = useTestApp()
let world: OrderWorld
let order: Order

beforeAll(async () => {
  world = await orderWorld(test)
  order = await newOrder()
})

async function newOrder(): Promise<Order> {
  const examples = await exampleOrders(world)
  const { body, status } = await test.admin.post('orders', {
    ...examples['furniture for two drops'].body,
    routes: [carried(world)],
  })
  expect([status, body.errors]).toEqual([201, undefined])
  return body
}

type Color = readonly [red: number, green: number, blue: number]
const colorOf = (hex: string): Color => {
  const value = Number.parseInt(hex, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
/** WCAG 2.2, relative luminance and contrast */
const luminance = (color: Color): number => {
  const [red, green, blue] = color
    .map((part) => part / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (one: Color, other: Color): number => {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}
const inverted = (color: Color): Color => color.map((part) => 255 - part) as unknown as Color

interface Said {
  text: string
  color: string | null
  background: string
}
const EMPTY = new Set(['br', 'img', 'hr', 'meta', 'link', 'input'])

/** Every piece of text with the colours that its elements say, without any style sheet. */
function pieces(html: string): Said[] {
  const body = html.slice(html.indexOf('<body')).replaceAll(/<!--[\s\S]*?-->/g, '')
  const open: { name: string; color: string | null; background: string }[] = []
  const said: Said[] = []
  for (const [, text, close, name, attributes] of body.matchAll(
    /([^<]+)|<(\/?)([a-z][a-z0-9]*)((?:[^<>"]|"[^"]*")*)>/gi,
  )) {
    const around = open.at(-1) ?? { name: '', color: null, background: 'ffffff' }
    if (text !== undefined) {
      if (text.trim() !== '') said.push({ text: text.trim(), color: around.color, background: around.background })
    } else if (close === '/') {
      while (open.length > 0 && open.pop()!.name !== name) continue
    } else if (!EMPTY.has(name!)) {
      const style = /style="([^"]*)"/.exec(attributes!)?.[1] ?? ''
      open.push({
        name: name!,
        color: /(?:^|;)\s*color:\s*#([0-9a-f]{6})/i.exec(style)?.[1] ?? around.color,
        background: /background(?:-color)?:\s*#([0-9a-f]{6})/i.exec(style)?.[1] ?? around.background,
      })
    }
  }
  return said
}

const plain = (text: string): string =>
  text
    .replaceAll(/&#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, '')

describe('a standard text', () => {
  it.each(STANDARD_TEXT_NAMES.map((name) => [templateKey({ ...name, id: null }), name] as const))(
    '%s is readable in every mail program',
    async (key, name) => {
      const { status, body } = await test.admin.post<RenderedMail>(
        `departments/${world.departmentId}/email-templates/${key}/preview`,
        { text: standardText(name), orderId: order.id },
      )
      expect([key, status]).toEqual([key, 200])
      const { html, text, leftOut } = body
      const folder = process.env.WAYBILL_SHOTS
      if (folder) writeFileSync(`${folder}/${key}.html`, html)

      expect(Buffer.byteLength(html)).toBeLessThan(100 * 1024)
      expect(html).not.toMatch(/display:\s*(?:inline-)?(?:flex|grid)|position:|float:\s*right/i)
      const inline = html.replaceAll(/<style[\s\S]*?<\/style>/g, '')
      for (const [, width] of inline.matchAll(/(?:^|[^-])(?:min-|max-)?width(?::\s*|=")(\d+)(?:px|")/g))
        expect(Number(width)).toBeLessThanOrEqual(600)
      expect(html).not.toMatch(/<img(?![^>]* alt="[^"]+")/)

      const said = pieces(inline)
      expect(said.length).toBeGreaterThan(5)
      for (const { text: words, color, background } of said) {
        expect([words, color]).toEqual([words, expect.stringMatching(/^[0-9a-f]{6}$/i)])
        const [front, back] = [colorOf(color!), colorOf(background)]
        expect([words, contrast(front, back) >= 4.5]).toEqual([words, true])
        expect([words, contrast(inverted(front), inverted(back)) >= 4.5]).toEqual([words, true])
      }
      // What is said of a button is followed by it.
      const buttons = standardText(name).blocks.filter(({ kind, onlyIf }) => kind === 'button' && onlyIf === null)
      expect(buttons.filter(({ id }) => leftOut.includes(id))).toEqual([])
      const whole = plain(text)
      for (const { text: words } of said.slice(1))
        for (const word of words.split(/\s+/)) expect(whole).toContain(plain(word))
    },
  )
})

it('counts goods of which no unit is known in pieces', async () => {
  const counted = { en: ['9 pcs', '6 pcs, 2 pcs'], de: ['9 Stk.', '6 Stk., 2 Stk.'], pl: ['9 szt.', '6 szt., 2 szt.'] }
  for (const [language, [line, cargo]] of Object.entries(counted)) {
    const said = async (type: 'order_created' | 'before_arriving') => {
      const name = STANDARD_TEXT_NAMES.find((one) => one.type === type && one.language === language)!
      const { body } = await test.admin.post<RenderedMail>(
        `departments/${world.departmentId}/email-templates/${templateKey({ ...name, id: null })}/preview`,
        { text: standardText(name), orderId: order.id },
      )
      return body.text.replaceAll('\u00A0', ' ')
    }
    expect(await said('order_created')).toContain(line)
    expect(await said('before_arriving')).toContain(cargo)
  }
})

describe('the logo of the company', () => {
  const name = (language: 'en' | 'de' | 'pl') =>
    STANDARD_TEXT_NAMES.find((one) => one.type === 'order_created' && one.language === language)!
  const withLogo = (language: 'en' | 'de' | 'pl') => {
    const text = standardText(name(language))
    return { ...text, blocks: [{ id: 'logo0001', kind: 'picture' as const, onlyIf: null }, ...text.blocks] }
  }
  const path = (language: 'en' | 'de' | 'pl') =>
    `departments/${world.departmentId}/email-templates/${templateKey({ ...name(language), id: null })}`
  let title: string

  async function setLogo(): Promise<void> {
    const { companyId } = (await test.admin.get(`departments/${world.departmentId}`)).body
    const company = (await test.admin.get(`companies/${companyId}`)).body
    title = company.title
    const set = await test.admin.put(`companies/${companyId}/logo`, { png: GREY_DOT }, { version: company.version })
    expect([set.status, set.body.errors]).toEqual([200, undefined])
  }
  beforeAll(setLogo)

  it('says whose it is where mail programs show no pictures', async () => {
    for (const language of ['en', 'de', 'pl'] as const) {
      const { status, body } = await test.admin.post<RenderedMail>(`${path(language)}/preview`, {
        text: withLogo(language),
        orderId: order.id,
      })
      expect([status, body.html.match(/<img[^>]*>/g)?.map((image) => / alt="([^"]*)"/.exec(image)?.[1])]).toEqual([
        200,
        [title],
      ])
    }
  })

  it('travels with a text that is sent to try it, also sent again, and stands on the page of the mail', async () => {
    const server = await startMailServer()
    test.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'office@waybill.example', timeoutMs: 3000 })
    const newest = async () =>
      Number((await test.database.pool.query('select max(id) as id from email')).rows[0].id as string)
    try {
      const tried = await test.admin.post(`${path('de')}/test`, { text: withLogo('de'), orderId: order.id })
      expect([tried.status, tried.body.errors]).toEqual([200, undefined])
      const id = await newest()
      await deliverEmail.handle(jobContext(test), { emailId: id })
      const again = await test.admin.post(`emails/${id}/resend`, {})
      expect([again.status, again.body.errors]).toEqual([200, undefined])
      await deliverEmail.handle(jobContext(test), { emailId: again.body.id })
      expect(server.inbox).toHaveLength(2)
      for (const { mail } of server.inbox) {
        expect(mail.html).toContain('src="cid:logo"')
        expect(
          mail.attachments.map(({ contentId, mimeType, content }) => [
            contentId,
            mimeType,
            Buffer.from(content as ArrayBuffer).toString('base64'),
          ]),
        ).toEqual([['<logo>', 'image/png', GREY_DOT]])
      }
      const { html } = (await test.admin.get(`emails/${id}/rendered`)).body
      expect(html).toContain(`src="data:image/png;base64,${GREY_DOT}"`)
    } finally {
      test.ports.mailer = null
      await server.close()
    }
  })
})
