import { addSnippet, listSnippets, putSnippet, removeSnippet, type Snippet } from '@waybill/contract/email/snippet'
import { beforeEach, expect, test } from 'vitest'
import { page, type Locator } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { expectAccessible } from './kit/axe.ts'
import { server } from './kit/fake-server.ts'
import { press, type } from './kit/keys.ts'
import { keepTemplates, valueOf, words } from './records/mail-template.ts'
import { FTL_WEST, offerMasterData } from './records/master-data.ts'
import { answerPapers } from './records/paper-template.ts'
import { answerSnippets, snippetOf } from './records/snippet.ts'

const addressOf = (key: string) => `/departments/${FTL_WEST.id}/edit/${key}`
const MAIL = addressOf('driver_information.first.en')
const paragraph = (place: number) => page.getByRole('textbox', { name: `Paragraph ${place}`, exact: true })
const snippets = page.getByRole('region', { name: 'Snippets' })
const named = (name: string) => snippets.getByRole('button', { name, exact: true })

const TEXT: Snippet['text'] = [
  { type: 'paragraph', content: [words('Dock 4 for '), valueOf('driver.plate'), words(' ')] },
]

/** Into the text, at its end, once its editor has come: a text that is left before takes typed words as plain ones. */
async function into(text: Locator): Promise<void> {
  await expect.element(text).toBeVisible()
  ;(text.element() as HTMLElement).focus()
  await expect.element(page.css('[aria-busy=true]')).not.toBeInTheDocument()
}

beforeEach(() => {
  signIn()
  offerMasterData()
  keepTemplates()
  answerPapers()
})

test('keeps a paragraph of a mail under a name', { tags: 'long' }, async () => {
  await visit(MAIL)
  await into(paragraph(2))
  await type(' Dock 4 for {plate')
  await press('Enter')
  await expect.element(paragraph(2)).toMatchTextContent('Dock 4 for Plate')
  await page.getByRole('button', { name: 'Keep as a snippet' }).click()
  const dialog = page.getByRole('dialog', { name: 'Keep as a snippet' })
  await expect.element(dialog).toBeVisible()
  await press('Enter')
  await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true')
  expect(server.calls(addSnippet)).toEqual([])
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Dock rules')
  await expectAccessible()
  await press('Enter')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(named('Dock rules')).toBeVisible()
  expect(server.calls(addSnippet)).toMatchObject([{ body: { name: 'Dock rules', language: 'en' } }])
  expect(JSON.stringify(server.calls(addSnippet)[0]!.body.text)).toMatch(/Dock 4 for .*"key":"driver.plate"/)
})

test('puts it in at the caret behind {, and as a paragraph of its own', { tags: 'long' }, async () => {
  answerSnippets([snippetOf({ text: TEXT })])
  await visit(MAIL)
  await into(paragraph(1))
  await type(' See {dock ru')
  await expect.element(page.getByRole('option', { name: /Dock rules/ })).toBeVisible()
  await press('Enter')
  await expect.element(paragraph(1)).toMatchTextContent(/See .*Dock 4 for Plate/)
  await snippets.getByRole('button', { name: 'As a paragraph of its own: Dock rules' }).click()
  await expect.element(paragraph(2)).toMatchTextContent('Dock 4 for Plate')
  await press('End', 'Enter', 'Escape')
  await expectAccessible()
})

test('marks a field that another text does not have, also where the snippets are slow to come', {
  tags: 'long',
}, async () => {
  answerSnippets([snippetOf({ text: TEXT })])
  const release = server.holdBack(listSnippets)
  await visit(addressOf('order_created.en'))
  await expect.element(paragraph(1)).toBeVisible()
  ;(paragraph(1).element() as HTMLElement).focus()
  await type('{dock')
  await press('Enter')
  await type('ab')
  await press('Backspace')
  await expect.element(paragraph(1)).toMatchTextContent('{dock')
  release()
  await expect.element(paragraph(1)).toMatchTextContent(/driver\.plate.*a$/)
  await expect.element(page.getByText(/Cannot be saved: \d unknown field/)).toBeVisible()
})

test('goes into a document too', async () => {
  answerSnippets([snippetOf({ text: TEXT })])
  await visit(addressOf('ORDER_RESOLVED_DOCUMENT.en'))
  const text = page.getByRole('textbox', { name: 'Your text' })
  await into(text)
  await type('{dock')
  await press('Enter')
  await expect.element(text).toMatchTextContent('Dock 4 for Plate')
})

test('is renamed, deleted, and comes back', { tags: 'long' }, async () => {
  answerSnippets([snippetOf({ text: TEXT })])
  await visit(MAIL)
  await snippets.getByRole('button', { name: 'Rename or delete snippets' }).click()
  const dialog = page.getByRole('dialog', { name: 'Snippets' })
  await dialog.getByRole('textbox', { name: 'Name of Dock rules' }).fill('Yard rules')
  await press('Enter')
  await expect.element(dialog.getByRole('textbox', { name: 'Name of Yard rules' })).toBeVisible()
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Delete Yard rules' }).click()
  await expect.element(dialog.getByRole('textbox')).not.toBeInTheDocument()
  await press('Escape')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(named('Yard rules')).toBeVisible()
  const body = { name: 'Yard rules', language: 'en', text: TEXT }
  expect(server.calls(putSnippet)).toMatchObject([{ version: 1, body }])
  expect(server.calls(removeSnippet)).toMatchObject([{ version: 2 }])
  expect(server.calls(addSnippet)).toMatchObject([{ body }])
})

test('a name typed for a paragraph is there again after a closed tab, until it is given up', {
  tags: 'long',
}, async () => {
  answerSnippets([])
  await visit(MAIL)
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
  const ask = async () => {
    await into(paragraph(1))
    await page.getByRole('button', { name: 'Keep as a snippet' }).click()
    await expect.element(name).toBeVisible()
  }
  await ask()
  await name.fill('Yard rules')
  await visit(MAIL)
  await ask()
  await expect.element(name).toHaveValue('Yard rules')
  await press('Escape')
  await expect.element(name).not.toBeInTheDocument()
  await visit(MAIL)
  await ask()
  await expect.element(name).toHaveValue('')
})

test('another name for a snippet is kept, and is refused once where others have renamed it meanwhile', {
  tags: 'long',
}, async () => {
  answerSnippets([snippetOf({ text: TEXT })])
  await visit(MAIL)
  const open = () => snippets.getByRole('button', { name: 'Rename or delete snippets' }).click()
  const dialog = page.getByRole('dialog', { name: 'Snippets' })
  await open()
  await dialog.getByRole('textbox', { name: 'Name of Dock rules' }).fill('Yard rules')
  answerSnippets([snippetOf({ text: TEXT, name: 'Gate rules', version: 2 })])
  await visit(MAIL)
  await open()
  const theirs = dialog.getByRole('textbox', { name: 'Name of Gate rules' })
  await expect.element(theirs).toHaveValue('Yard rules')
  await theirs.click()
  await press('Enter')
  await expect.element(theirs).toHaveAttribute('aria-invalid', 'true')
  expect(server.calls(putSnippet)).toMatchObject([{ version: 1 }])
  await press('Enter')
  await expect.element(dialog.getByRole('textbox', { name: 'Name of Yard rules' })).toHaveValue('Yard rules')
  expect(server.calls(putSnippet)).toMatchObject([{ version: 1 }, { version: 2, body: { name: 'Yard rules' } }])
})
