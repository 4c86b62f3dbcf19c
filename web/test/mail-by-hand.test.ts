import { listEmailRefusals } from '@waybill/contract/email'
import { previewEmail, writeEmail, type EmailDraft } from '@waybill/contract/email/by-hand'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signIn, visit } from './kit/app.tsx'
import { refusal, server } from './kit/fake-server.ts'
import { press } from './kit/keys.ts'
import { paragraphOf, words } from './records/mail-template.ts'
import { answerSnippets } from './records/snippet.ts'

const draft: EmailDraft = {
  to: ['jansen@nordlicht.example'],
  cc: [],
  subject: 'Your order 26-00007',
  html: '<p>Hello</p>',
  attachments: [],
  page: {
    type: 'other_emails',
    variant: 'free',
    name: null,
    routeId: null,
    locationId: null,
    customerId: null,
    language: 'en',
    record: { id: 7, title: '26-00007', version: 1 },
    departmentId: null,
    isWanted: true,
    customers: [],
    routes: [],
    variants: ['free'],
    names: [],
    people: [],
    blocks: [paragraphOf('hello', words('Hello'))],
    parts: {},
    holes: [],
    values: {},
    documents: [],
    paper: null,
    makeable: [],
    sender: 'Waybill GmbH',
    replyTo: null,
    seen: 'as shown',
  },
}

beforeEach(() => {
  signIn()
  answerSnippets()
  server.answer(listEmailRefusals, { items: [] })
  // Refused, so that the page stays.
  server.answer(writeEmail, refusal('conflict'))
})

const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const sent = () => server.calls(writeEmail).map(({ body: { to, cc } }) => ({ to, cc }))

test('an address that is typed and no chip yet is written to as well when the keys send', async () => {
  server.answer(previewEmail, draft)
  await visit('/orders/7/edit/other_emails')
  await field('To').fill('voss@nordlicht.example')
  await press('Control+Enter')
  await expect.poll(sent).toEqual([{ to: ['jansen@nordlicht.example', 'voss@nordlicht.example'], cc: [] }])
  await expect.element(field('To')).toHaveFocus()
  await field('Copy').fill('lager@nordlicht.example')
  await press('Control+Enter')
  await expect.poll(() => sent().at(-1)?.cc).toEqual(['lager@nordlicht.example'])
})

test('the only address is not missing because it is no chip yet', async () => {
  server.answer(previewEmail, { ...draft, to: [] })
  await visit('/orders/7/edit/other_emails')
  await field('To').fill('voss@nordlicht.example')
  await press('Control+Enter')
  await expect.poll(sent).toEqual([{ to: ['voss@nordlicht.example'], cc: [] }])
})
