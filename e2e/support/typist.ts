import { expect, type CDPSession, type Locator, type Page } from '@playwright/test'
import type { Waybill } from './waybill.ts'

/** The morning on which the mails of the transport orders are read: `30.11` and `jutro` count from here. A Monday. */
const READ_ON = new Date('2026-11-23T08:00:00+01:00')

/** Somebody who never touches the mouse. Every key counts one, a chord too. */
export class Typist {
  readonly #page: Page
  #keyboard?: CDPSession
  keys = 0

  constructor(page: Page) {
    this.#page = page
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.#page.keyboard.press(key)
      this.keys += 1
    }
  }

  async type(text: string): Promise<void> {
    if (/^[A-Z][A-Za-z]$/.test(text)) await this.#typeAsOneWord(text)
    else await this.#page.keyboard.type(text)
    this.keys += [...text].length
  }

  /**
   * A browser's own list takes letters as one word that follow each other within a second. Each says when it was
   * pressed, a tenth of a second after the one before, however late a busy machine sends it.
   */
  async #typeAsOneWord(letters: string): Promise<void> {
    this.#keyboard ??= await this.#page.context().newCDPSession(this.#page)
    let timestamp = Date.now() / 1000
    for (const key of letters) {
      const windowsVirtualKeyCode = key.toUpperCase().charCodeAt(0)
      const pressed = { key, code: `Key${key.toUpperCase()}`, windowsVirtualKeyCode, timestamp }
      await this.#keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', text: key, ...pressed })
      await this.#keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', ...pressed })
      timestamp += 0.1
    }
  }

  /** Cells of a grid or fields of a form, each left with Tab; an empty one is passed over. */
  async fill(...texts: string[]): Promise<void> {
    for (const text of texts) {
      await this.type(text)
      await this.press('Tab')
    }
  }

  /** A time at a stop, taken over with Enter. */
  async when(text: string): Promise<void> {
    await this.type(text)
    await this.press('Enter')
  }

  /**
   * From a list below a field: a part of the name, and what is marked once the list has come, as one does who looks.
   */
  async pick(part: string, title: string, key: 'Enter' | 'Tab' = 'Enter'): Promise<void> {
    await this.type(part)
    await expect(this.#page.getByRole('option', { name: title }).first()).toHaveAttribute(
      'data-combobox-selected',
      'true',
    )
    await this.press(key)
  }

  /** Keys that put another field in hand, which has to be there before the next key. */
  async reach(field: string, ...keys: string[]): Promise<void> {
    await this.press(...keys)
    await expect(this.#page.locator(`[name="${field}"]`)).toBeFocused()
  }

  /** From field to field until this one is in hand. */
  async walk(to: Locator, key: 'Tab' | 'Shift+Tab' | 'ArrowDown' = 'Tab'): Promise<void> {
    const isInHand = () => to.evaluate((element) => element === document.activeElement)
    for (let steps = 0; steps < 100 && !(await isInHand()); steps += 1) await this.press(key)
    await expect(to).toBeFocused()
  }

  /** On the order's form, section by section. */
  async go(...sections: string[]): Promise<void> {
    for (const section of sections) {
      await this.press('Alt+ArrowDown')
      await expect(this.#page.locator(`#${section} :focus`)).toHaveCount(1)
    }
  }

  /**
   * What a line or a stop says beside its columns: from the first field of its window, each left with Tab. Enter, or
   * what `done` says, closes it.
   */
  async details(texts: readonly string[], done: 'Enter' | 'Control+Enter' = 'Enter'): Promise<void> {
    await this.press('Alt+Enter')
    const dialog = this.#page.getByRole('dialog')
    await expect(dialog.locator('input:focus')).toBeVisible()
    await this.fill(...texts.slice(0, -1))
    await this.type(texts.at(-1)!)
    await this.press(done)
    await expect(dialog).toHaveCount(0)
  }
}

/** A customer on file, as the record below each order says. */
export async function addCustomer({ api, idOf }: Waybill, country: string, record: object): Promise<number> {
  const { status, body } = await api('POST', 'customers', { countryId: await idOf('countries', country), ...record })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id as number
}

/** From the orders list, on the morning of the mails. */
export async function openNewOrder(page: Page): Promise<Typist> {
  await page.clock.setFixedTime(READ_ON)
  await page.goto('/orders')
  await expect(page.getByRole('row').first()).toBeVisible()
  const typist = new Typist(page)
  await typist.reach('customerIds', 'n')
  return typist
}

/** Saves, and gives what the server holds. */
export async function saved(page: Page, typist: Typist, { api }: Waybill) {
  await typist.press('Control+Enter')
  await page.waitForURL(/\/orders\/\d+\/edit/)
  const { body } = await api('GET', `orders/${/orders\/(\d+)/.exec(page.url())![1]}`)
  await expect(page.getByRole('heading', { level: 1, name: body.number })).toBeVisible()
  return body
}

interface Ways {
  cargo: { id: number }[]
  locations: { cargoActions: { cargoId: number; action: string }[] }[]
}

/** From which stop to which each line goes, by their places. */
export const waysOf = ({ cargo, locations }: Ways) =>
  cargo.map((line) =>
    ['PICK_UP', 'DROP_OFF'].map((action) =>
      locations.findIndex(({ cargoActions }) =>
        cargoActions.some((one) => one.cargoId === line.id && one.action === action),
      ),
    ),
  )

/** What a bill of the order would say. */
export async function billOf({ api, file }: Waybill, order: { id: number }) {
  const { status, body: invoice } = await api('POST', 'invoices', { entityType: 'customer', orderIds: [order.id] })
  expect(status, JSON.stringify(invoice)).toBe(201)
  return { invoice, bytes: await file(`invoices/${invoice.id as number}/document`) }
}
