import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { EmailType } from '@waybill/contract/email'
import type { MailBlock } from '@waybill/contract/mail-blocks'
import { previewEmail, writeEmail, type EmailDraft, type MailPage } from '@waybill/contract/email/by-hand'
import { LANGUAGES, type Language } from '@waybill/contract/errors'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../kit/api/api-error.ts'
import { callApi } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useIntention } from '../../../kit/api/use-intention.ts'
import { BackLink } from '../../../kit/form/page/back-link.tsx'
import { readDraft } from '../../../kit/form/state/draft-store.ts'
import { draftKeyOf } from '../../../kit/form/state/use-form-record.ts'
import { useKeptTyping } from '../../../kit/form/state/use-kept-typing.ts'
import { isSame } from '../../../kit/form/state/values.ts'
import { useErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useScreenTitle } from '../../../kit/record/screen-title.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { TextField } from '../../../ui/fields/field.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { StickyBar } from '../../../ui/page/page-head.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { useKeptAddress } from '../../email/keep-address-section.tsx'
import { RefusedAddresses } from '../../email/refused-address-section.tsx'
import { useMailNames } from '../template-names.ts'
import { isTypedAhead } from '../text/written-text.tsx'
import { Attachments } from './attachments.tsx'
import { MailPaper } from './mail-paper.tsx'
import { Receivers, Suggestions, takeTypedAddress } from './receivers.tsx'
import type { TypedMail, TypedText } from './typed-mail.ts'
import classes from './write.module.css'

/** Which mail the address means; what is left out is chosen by the server. */
interface Wish {
  orderId?: number
  invoiceId?: number
  type: EmailType
  routeId: number | null
  variant: string | null
  name: string | null
  customerId: number | null
}

/** A mail of this kind of record leaves in a way of its own: gives what is said once it has. */
export type Deliver = (mail: Written, idempotencyKey: string) => Promise<Parameters<typeof notify>[0]>
interface Written extends TypedText {
  to: string[]
  cc: string[]
  language: Language
  documentIds: number[]
  seen: string
  /** of the record, as it was shown */
  version: number
}

const preview = (wish: Wish, language: Language | null, signal?: AbortSignal): Promise<EmailDraft> =>
  callApi(previewEmail, { body: { ...wish, language }, ...(signal && { signal }) })

const keyOf = ({ orderId, invoiceId, type, routeId, variant, name, customerId }: Wish) =>
  draftKeyOf({ path: ['mail', type, routeId, variant, name, customerId].join('/') }, (orderId ?? invoiceId)!)

interface MailWriterProps {
  wish: Wish
  /** left out: it is queued as it is */
  deliver?: Deliver
  sendLabel?: string
  /** why it was not sent, in the words of its record */
  notice?: ReactNode
}

const isOfInvoice = ({ invoiceId }: Wish): boolean => invoiceId !== undefined

/** A mail about one record, as it will leave: what stands here is sent. */
export function MailWriter({ wish, ...own }: MailWriterProps) {
  const { t } = useTranslation('email-write')
  const refusalWords = useRefusalWords()
  const [round, setRound] = useState(0)
  const { data, error, refetch } = useQuery({
    queryKey: ['emails', 'write', wish],
    queryFn: async ({ signal }) => {
      const [shown, draft] = await Promise.all([preview(wish, null, signal), readDraft<TypedMail>(keyOf(wish))])
      return { shown, draft }
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { showsRefusals: true },
  })
  const back = isOfInvoice(wish) ? `/invoices/${wish.invoiceId}/edit` : `/orders/${wish.orderId}/edit`
  const backLabel = t(isOfInvoice(wish) ? 'backToInvoice' : 'backToOrder')
  // A route that there is not, or a mail that needs one: said in words, with the way back.
  if (error instanceof ApiError && error.status === 422)
    return (
      <div className={classes.page}>
        <header className={classes.head}>
          <BackLink to={back} label={backLabel} />
          <h1>{t('title')}</h1>
        </header>
        <Notice tone="warn">{refusalWords(error).join(' ')}</Notice>
      </div>
    )
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={14} label={t('title')} />
  return (
    <MailForm
      key={`${JSON.stringify(wish)} ${round}`}
      {...own}
      wish={wish}
      first={data.shown}
      kept={round === 0 ? (data.draft?.values ?? null) : null}
      back={back}
      backLabel={backLabel}
      onReset={() => setRound(round + 1)}
    />
  )
}

const asProposed = ({ to, cc, page }: EmailDraft): TypedMail => ({
  to,
  cc,
  begun: {},
  documentIds: page.documents.filter(({ isProposed }) => isProposed).map(({ documentId }) => documentId),
  texts: {},
})

/** What was written, over the parts that the order gives today. */
function textIn(typed: TypedText | undefined, { subject, page }: EmailDraft): TypedText {
  if (typed === undefined) return { subject, blocks: page.blocks }
  const isThere = ({ kind, id }: MailBlock) => kind === 'paragraph' || kind === 'heading' || id in page.parts
  return { subject: typed.subject, blocks: typed.blocks.filter(isThere) }
}

interface MailFormProps extends MailWriterProps {
  first: EmailDraft
  kept: TypedMail | null
  back: string
  backLabel: string
  onReset: () => void
}

function MailForm({ wish, first, kept, back, backLabel, deliver, sendLabel, notice, onReset }: MailFormProps) {
  const { t } = useTranslation('email-write')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const format = useFormat()
  const [typed, setTyped] = useState<TypedMail>(kept ?? asProposed(first))
  const [language, setLanguage] = useState<Language>(first.page.language)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)
  const proposed = asProposed(first)
  const isTyped = !isSame(typed, proposed)
  const draft = useKeptTyping(keyOf(wish), { values: isTyped ? typed : null, base: proposed, version: null })
  const intentionOf = useIntention()

  const shown = useQuery({
    queryKey: ['emails', 'write', wish, language],
    queryFn: ({ signal }) => preview(wish, language, signal),
    initialData: language === first.page.language ? first : undefined,
    placeholderData: (before) => before,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const current = shown.data ?? first
  const { page } = current
  const text = textIn(typed.texts[page.language], current)
  const newAddress = useKeptAddress(page.withoutAddress, page.customerId, typed.to)
  const names = useMailNames()({ type: page.type, variant: page.variant, name: page.name })
  const title = [names.title, names.variant].filter(Boolean).join(', ')
  useScreenTitle(title)
  const change = (part: Partial<TypedMail>) => setTyped((before) => ({ ...before, ...part }))
  const put = (next: Partial<TypedText>) =>
    setTyped((before) => ({
      ...before,
      texts: {
        ...before.texts,
        [page.language]: { ...textIn(before.texts[page.language], current), ...next },
      },
    }))
  const begin = (part: TypedMail['begun']) => setTyped((before) => ({ ...before, begun: { ...before.begun, ...part } }))
  const leave = () => void navigate({ to: back as string, search: {} as never })
  const again = (part: Record<string, unknown>) =>
    void navigate({
      to: `${back}/${wish.type}` as string,
      search: Object.fromEntries(
        Object.entries({
          route: wish.routeId,
          variant: wish.variant,
          name: wish.name,
          customer: wish.customerId,
          ...part,
        }).filter(([, value]) => value !== null),
      ) as never,
      replace: true,
    })

  const send = async () => {
    if (isBusy || shown.isPlaceholderData) return
    if (typed.to.length === 0) {
      setErrors({ to: t('recipientMissing') })
      document.querySelector<HTMLInputElement>('input[name="to"]')?.focus()
      return
    }
    setBusy(true)
    setErrors({})
    const mail = {
      to: typed.to,
      cc: typed.cc,
      language: page.language,
      subject: text.subject,
      blocks: text.blocks,
      documentIds: typed.documentIds,
      seen: page.seen,
    }
    const { routeId, locationId, customerId } = page
    const body = { ...wish, routeId, locationId, customerId, ...mail }
    const idempotencyKey = intentionOf([body, page.record.version])
    try {
      const told = deliver
        ? await deliver({ ...mail, version: page.record.version }, idempotencyKey)
        : await callApi(writeEmail, { body, idempotencyKey }).then(() => ({
            tone: 'ok' as const,
            title: t('sent'),
            detail: format.list([...typed.to, ...typed.cc]),
            closeLabel: t('close'),
          }))
      await draft.forget()
      void queries.invalidateQueries({ queryKey: ['emails'] })
      notify(told)
      // The mail says what the record says: it has left before that changes.
      await newAddress.keep?.().catch((error: unknown) => {
        notify({ tone: 'danger', title: t('notKept'), detail: errorText(error), closeLabel: t('close') })
      })
      leave()
    } catch (error) {
      const wrong = error instanceof ApiError ? error.errors : []
      setErrors(Object.fromEntries(wrong.map(({ path, message }) => [path.split('.')[0]!, message])))
      // What the record says now stands beside what was written.
      if (wrong.some(({ path }) => path === 'seen') || (error instanceof ApiError && error.code === 'stale_version'))
        void shown.refetch()
      const detail = wrong.length > 0 ? wrong.map(({ message }) => message).join(' ') : errorText(error)
      notify({ tone: 'danger', title: t('notSent'), detail, closeLabel: t('close') })
    }
    setBusy(false)
  }

  useShortcut({ key: 'Enter', mod: true, label: t('send'), run: () => void send() })
  useShortcut({ key: 'Escape', label: backLabel, run: leave, isEverywhere: true })
  const latestSend = useRef(send)
  latestSend.current = send
  // Before the text in hand hears it: there it would begin a line.
  const hearSend = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.stopPropagation()
    // A text that waits for its editor does not say yet what was typed.
    if (isTypedAhead(event.target)) return
    takeTypedAddress(event.target)
    void latestSend.current()
  }
  const sendButton = (
    <Button
      variant="filled"
      loading={isBusy}
      leftSection={<Icon name="send" />}
      aria-keyshortcuts="Control+Enter"
      onClick={() => void send()}
    >
      {sendLabel ?? t('send')}
    </Button>
  )
  const route = page.routes.find(({ id }) => id === page.routeId)
  const customer = page.customers.find(({ id }) => id === page.customerId)
  return (
    <div className={classes.page} onKeyDownCapture={hearSend}>
      <header className={classes.head}>
        <BackLink to={back} label={backLabel} />
        <div>
          <h1>{title}</h1>
          <div className={classes.about}>
            {[route?.title ?? page.record.title, route && page.customers.length === 0 ? route.carrier : customer?.title]
              .filter(Boolean)
              .join(' · ')}
          </div>
        </div>
        <span className={classes.gap} />
        <Languages value={language} onChange={setLanguage} />
        <span className={classes.desk}>
          <Button onClick={leave}>{t('cancel')}</Button>
          {sendButton}
        </span>
      </header>
      <div className={classes.columns}>
        <div className={classes.column}>
          {notice}
          {page.isWanted ? null : (
            <Notice tone="info">{t('unwanted', { customer: customer?.title ?? page.customers[0]?.title })}</Notice>
          )}
          <Section title={t('who')}>
            <div className={classes.fields}>
              <Choices page={page} onChoose={again} />
              <Receivers
                name="to"
                label={t('to')}
                isRequired
                value={typed.to}
                typed={typed.begun?.to ?? ''}
                people={page.people}
                error={
                  errors.to ??
                  (page.withoutAddress && typed.to.length === 0
                    ? t('hasNoAddress', { name: page.withoutAddress.title })
                    : undefined)
                }
                onChange={(to) => change({ to })}
                onType={(to) => begin({ to })}
              />
              {newAddress.field}
              <Suggestions
                people={page.people}
                taken={[...typed.to, ...typed.cc]}
                onAdd={(email) => change({ to: [...typed.to, email] })}
              />
              <Receivers
                name="cc"
                label={t('cc')}
                value={typed.cc}
                typed={typed.begun?.cc ?? ''}
                people={page.people}
                error={errors.cc}
                onChange={(cc) => change({ cc })}
                onType={(cc) => begin({ cc })}
              />
              <RefusedAddresses
                addresses={[...new Set([...typed.to, ...typed.cc, ...page.people.map(({ email }) => email)])]}
              />
              <TextField
                name="subject"
                label={t('subject')}
                isRequired
                maxLength={250}
                lang={page.language}
                value={text.subject}
                error={errors.subject}
                onChange={(event) => put({ subject: event.currentTarget.value })}
              />
              <dl className={classes.facts}>
                <dt>{t('from')}</dt>
                <dd>{page.sender}</dd>
                <dt>{t('replyTo')}</dt>
                <dd>{page.replyTo ?? '–'}</dd>
              </dl>
            </div>
          </Section>
          <Attachments
            page={page}
            chosen={typed.documentIds}
            error={errors.documentIds}
            onChange={(documentIds) => change({ documentIds })}
            onMade={(made) => {
              change({ documentIds: [...typed.documentIds, ...made] })
              void shown.refetch()
            }}
          />
        </div>
        <Section
          title={t('asItArrives')}
          summary={t('clickToChange')}
          actions={
            isTyped ? (
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<Icon name="undo" size={13} />}
                onClick={() => void draft.forget().then(onReset)}
              >
                {t('template')}
              </Button>
            ) : null
          }
        >
          <Holes
            page={page}
            words={t(isOfInvoice(wish) ? 'holesInvoice' : 'holes')}
            blocks={text.blocks}
            error={errors.seen ?? errors.blocks}
          />
          {page.paper === null ? null : <Notice>{t('filledAtSending')}</Notice>}
          <MailPaper
            page={page}
            blocks={text.blocks}
            onChange={(block) => put({ blocks: text.blocks.map((one) => (one.id === block.id ? block : one)) })}
          />
          <p className={classes.edge}>
            <Icon name="lock" size={13} /> {t(isOfInvoice(wish) ? 'greyEdgeInvoice' : 'greyEdge')}
          </p>
        </Section>
      </div>
      <div className={classes.phoneBar}>
        <StickyBar label={t('send')}>{sendButton}</StickyBar>
      </div>
    </div>
  )
}

function Languages({ value, onChange }: { value: Language; onChange: (language: Language) => void }) {
  const { t } = useTranslation('email-write')
  const give = (place: number) => ({
    key: String(place + 1),
    alt: true,
    label: t('inLanguage', { language: LANGUAGES[place]!.toUpperCase() }),
    run: () => onChange(LANGUAGES[place]!),
  })
  useShortcut(give(0))
  useShortcut(give(1))
  useShortcut(give(2))
  return (
    <Segmented
      isSmall
      label={t('language')}
      value={value}
      onChange={onChange}
      options={LANGUAGES.map((one) => ({ value: one, label: one.toUpperCase() }))}
    />
  )
}

/** What can be chosen beside the type: the text, the route, and of several customers one. */
function Choices({ page, onChoose }: { page: MailPage; onChoose: (part: Record<string, unknown>) => void }) {
  const { t } = useTranslation('email-write')
  const mailNames = useMailNames()
  const variants = [
    ...page.variants.map((variant) => ({
      value: `variant ${variant}`,
      label: mailNames({ type: page.type, variant, name: null }).variant ?? variant,
    })),
    ...page.names.map((name) => ({ value: `name ${name}`, label: name })),
  ]
  const chosen = page.name === null ? `variant ${page.variant}` : `name ${page.name}`
  return (
    <>
      {variants.length < 2 ? null : (
        <SelectField
          label={t('text')}
          allowDeselect={false}
          data={variants}
          value={chosen}
          onChange={(value) => {
            const [kind, ...rest] = (value ?? chosen).split(' ')
            onChoose({ variant: null, name: null, [kind!]: rest.join(' ') })
          }}
        />
      )}
      {page.routes.length < 2 ? null : (
        <SelectField
          label={t('route')}
          allowDeselect={false}
          data={page.routes.map(({ id, title, carrier }) => ({
            value: String(id),
            label: [title, carrier].filter(Boolean).join(' · '),
          }))}
          value={page.routeId === null ? null : String(page.routeId)}
          onChange={(value) => onChoose({ route: value })}
        />
      )}
      {page.customers.length < 2 ? null : (
        <SelectField
          label={t('customer')}
          allowDeselect={false}
          data={page.customers.map(({ id, title }) => ({ value: String(id), label: title }))}
          value={page.customerId === null ? null : String(page.customerId)}
          onChange={(value) => onChoose({ customer: value })}
        />
      )}
    </>
  )
}

/** Values that the text waits for, as long as they stand in it. */
function Holes({
  page,
  words,
  blocks,
  error,
}: {
  page: MailPage
  words: string
  blocks: readonly MailBlock[]
  error: string | undefined
}) {
  const text = JSON.stringify(blocks)
  const isOpen = page.holes.some((key) => text.includes(`"key":${JSON.stringify(key)}`))
  if (error === undefined && !isOpen) return null
  return <Notice tone="warn">{error ?? words}</Notice>
}
