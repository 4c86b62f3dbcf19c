import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { IntakeMail } from '@waybill/contract/intake/intake'
import { endpoint } from '@waybill/contract/kit/endpoint'
import { saveMailDraft, saveSecondOrder, type ChangeValue, type Draft } from '@waybill/contract/order/intake/mail-draft'
import { orderApi } from '@waybill/contract/order/order'
import { useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { BackLink } from '../../../kit/form/page/back-link.tsx'
import { FormMessages } from '../../../kit/form/page/form-messages.tsx'
import { LeaveGuard } from '../../../kit/form/page/leave-guard.tsx'
import { useSavedNotice } from '../../../kit/form/page/saved-notice.ts'
import { focusPath } from '../../../kit/form/state/focus-path.ts'
import { FormProvider } from '../../../kit/form/state/form-context.ts'
import { isSame } from '../../../kit/form/state/values.ts'
import { useEntityForm } from '../../../kit/form/state/use-entity-form.ts'
import { useNewRecordDraft } from '../../../kit/form/state/use-form-record.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { currentSession } from '../../../kit/session/session.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { TabBar } from '../../../ui/page/tab-bar.tsx'
import { lineBehind, stopBehind } from '../grid/dialog-fields.ts'
import { useStopTexts } from '../stops/stop-texts.ts'
import { CargoBlock, CustomerBlock, PriceBlock, StopsBlock } from '../blocks/new-blocks.tsx'
import {
  checkOrder,
  emptyOrder,
  ORDER_ATOMS,
  orderBodyOf,
  orderValuesOf,
  tidyOrder,
  type OrderValues,
} from '../values/draft.ts'
import { useOrderLabels } from '../values/labels.ts'
import { terminWords } from '../values/stop-words.ts'
import { useOrderWords } from '../values/value-words.ts'
import { useFiling } from './changes/change-list.tsx'
import { valuesOfDraft } from './draft-values.ts'
import classes from './intake.module.css'
import { KnownOrderNotice, secondOrder, useKnownOrder, useMustChoose } from './known-order.tsx'
import { putValue } from './changes/put-value.ts'
import { MailPane, type Passage } from './mail-pane.tsx'
import { ProposedCustomer } from './proposed-customer.tsx'
import { inReadingOrder, pathNow, statesOf, useReadMarks } from './read-marks.ts'
import { fieldsForWords } from './words/selected-value.ts'
import { SelectedWords, type Words } from './words/selected-words.tsx'

interface DraftFormProps {
  mail: IntakeMail
  draft: Draft
  /** all of the mail */
  drafts: readonly Draft[]
  onPosition: (position: number) => void
  onSaved: (orderId: number, wantsNext: boolean) => void
  onClose: () => void
  onGiveBack: () => void
  onAssign: () => void
  onFiled: (mail: IntakeMail) => void
}

type Other = Draft['marks'][number]['others'][number]

/** Where a draft of a mail is sent: its form is the new order's. */
function apiOf({ id }: IntakeMail, { position }: Draft, isSecond: () => boolean) {
  const { method, access, summary, body, reply, status } = saveMailDraft
  const create = endpoint({ method, access, summary, body, reply, status, path: orderApi.create.path, location: null })
  return {
    ...orderApi,
    path: `intake-mails/${id}/${position}`,
    create: {
      ...create,
      get path() {
        const { path } = isSecond() ? saveSecondOrder : saveMailDraft
        return path.replace(':id', String(id)).replace(':position', String(position))
      },
    },
  } as unknown as typeof orderApi
}

/** The order's form beside the mail; what was typed before is there again. */
export function DraftForm(props: DraftFormProps) {
  const { t } = useTranslation('intake')
  const { data } = useNewRecordDraft<OrderValues>(apiOf(props.mail, props.draft, () => false))
  if (data === undefined) return <SkeletonLines lines={12} label={t('draft.title')} />
  return <Form {...props} kept={data.draft} />
}

const rowsOf = ({ cargo, locations }: OrderValues) => ({
  cargo: cargo.map(({ key }) => ({ key })),
  locations: locations.map(({ key }) => ({ key })),
})

/** `b) ST-302`: which order of the mail, and its number or where it goes. */
const tabOf = (position: number, { customerOrderNumber, locations }: Draft['values']): string =>
  `${String.fromCodePoint(97 + position)}) ${customerOrderNumber ?? locations.at(-1)?.city ?? ''}`

function Form({
  mail,
  draft,
  drafts,
  onPosition,
  onSaved,
  onClose,
  onGiveBack,
  onAssign,
  onFiled,
  kept,
}: DraftFormProps & { kept: Parameters<typeof useEntityForm<typeof orderApi, OrderValues>>[0]['draft'] }) {
  const { t } = useTranslation(['intake', 'order'])
  const format = useFormat()
  const labelOf = useOrderLabels()
  const wordsOf = useOrderWords(null)
  const stopTexts = useStopTexts()
  const navigate = useNavigate()
  const filing = useFiling(mail, draft.position, onFiled)
  const [detailsOf, setDetailsOf] = useState<number | null>(null)
  const [stopOpen, setStopOpen] = useState<number | null>(null)
  const [settled, setSettled] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string | null>(null)
  const wantsNext = useRef(false)
  const formRef = useRef<HTMLDivElement>(null)
  const mailText = useRef<HTMLDivElement>(null)
  // Words that somebody has put into a field; the keys of its row as in the draft.
  const [picked, setPicked] = useState<readonly Passage[]>([])
  const [empty] = useState(() => {
    const profile = currentSession()?.profile
    return valuesOfDraft(
      draft,
      emptyOrder({ departmentId: profile?.departmentId ?? null, caseWorkerId: profile?.id ?? null }),
    )
  })
  const [second] = useState(secondOrder)
  const [api] = useState(() => apiOf(mail, draft, second.isSecond))
  const known = useKnownOrder(draft, second)
  const sayThatSaved = useSavedNotice()
  const form = useEntityForm<typeof orderApi, OrderValues>({
    api,
    view: null,
    draft: kept,
    empty,
    valuesOf: orderValuesOf,
    bodyOf: orderBodyOf,
    tidy: tidyOrder,
    check: checkOrder,
    atoms: ORDER_ATOMS,
    reveal: (path) => {
      setDetailsOf(lineBehind(path))
      setStopOpen(stopBehind(path))
    },
    onSaved: (view, isLeaving) => {
      sayThatSaved('order', view.number)
      if (!isLeaving) onSaved(view.id, wantsNext.current)
    },
    onRefused: (error) => known.look(error, form.values()),
  })

  // What somebody types over is theirs, and no longer to be looked at.
  const { onChanges, changes, values: valuesNow } = form
  const [rows, setRows] = useState(() => rowsOf(valuesNow()))
  useEffect(
    () =>
      onChanges(() => {
        const now = rowsOf(valuesNow())
        setRows((before) => (isSame(before, now) ? before : now))
        const toDraft = pathNow(now, empty)
        const typed = changes().flatMap(({ path }) => toDraft(path) ?? [])
        setSettled((before) => (typed.every((path) => before.has(path)) ? before : new Set([...before, ...typed])))
      }),
    [onChanges, changes, valuesNow, empty],
  )
  const settle = (path: string) => setSettled((before) => new Set([...before, pathNow(rows, empty)(path) ?? path]))

  // The marks of the draft where its rows stand by now.
  const shown = useMemo(() => {
    const toNow = pathNow(empty, rows)
    return {
      marks: draft.marks.flatMap((mark) => {
        const path = toNow(mark.path)
        return path === null ? [] : [{ ...mark, path }]
      }),
      missing: draft.missing.flatMap((path) => toNow(path) ?? []),
    }
  }, [draft, empty, rows])
  const settledNow = useMemo(() => {
    const toNow = pathNow(empty, rows)
    return new Set([...settled].flatMap((path) => toNow(path) ?? []))
  }, [settled, empty, rows])
  const states = useMemo(() => statesOf(shown, settledNow), [shown, settledNow])
  const learned = useMemo(
    () => new Set(shown.marks.flatMap(({ path, isLearned }) => (isLearned && !settledNow.has(path) ? path : []))),
    [shown, settledNow],
  )
  useReadMarks(formRef, states, learned)
  const counted = (state: string) => [...states.values()].filter((one) => one === state).length
  const passages = useMemo(() => {
    const toNow = pathNow(empty, rows)
    const own = picked.flatMap((one) => ({ ...one, path: toNow(one.path) ?? '' })).filter(({ path }) => path !== '')
    const isOver = (from: number, to: number) => own.some((one) => from < one.to && to > one.from)
    const read = shown.marks.flatMap(({ path, span, others }): Passage[] => [
      ...(span === null ? [] : [{ path, from: span[0], to: span[1] }]),
      ...others.flatMap((one) => (one.span === null ? [] : [{ path, from: one.span[0], to: one.span[1] }])),
    ])
    return [...own, ...read.filter(({ from, to }) => !isOver(from, to))]
  }, [shown, picked, empty, rows])
  const mark = shown.marks.find(({ path }) => path === current)
  const others = mark === undefined || settledNow.has(mark.path) ? [] : mark.others
  const choices = others.filter(({ isChoice }) => isChoice)
  const beside = others.filter(({ isChoice }) => !isChoice)

  const otherWords = (value: Other['value']) =>
    value !== null && typeof value === 'object'
      ? terminWords(value, format, stopTexts)
      : typeof value === 'number'
        ? format.number(value)
        : String(value)

  const goOn = (after: string | null, done: ReadonlySet<string>) => {
    const open = [...statesOf(shown, done)].filter(([, state]) => state === 'check').map(([path]) => path)
    const all = inReadingOrder(formRef.current!, [...open, ...(after === null ? [] : [after])])
    const at = after === null ? -1 : all.indexOf(after)
    const next = [...all.slice(at + 1), ...all.slice(0, Math.max(0, at))].find((path) => path !== after)
    if (next === undefined) return
    setCurrent(next)
    focusPath(next)
  }
  const accept = () => {
    if (current === null) return goOn(null, settledNow)
    settle(current)
    goOn(current, new Set([...settledNow, current]))
  }
  const takeOther = (value: Other['value'] | undefined) => {
    if (current === null || value === undefined) return
    // A cell in hand keeps what is typed in it: out of hand and back it shows what counts now.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    flushSync(() => form.set(current, value))
    settle(current)
    focusPath(current)
  }
  const takeWords = (path: string, value: ChangeValue, { from, to }: Words) => {
    flushSync(() => putValue(form, path, value))
    settle(path)
    const inDraft = pathNow(rows, empty)(path) ?? path
    setPicked((before) => [...before.filter((one) => one.path !== inDraft), { path: inDraft, from, to }])
    setCurrent(path)
    focusPath(path)
  }
  const { again, isChosen } = useMustChoose(known, form.context.store, second)
  const mustChoose = again !== null && !isChosen
  const save = (andNext: boolean) => {
    if (mustChoose) return
    wantsNext.current = andNext
    void form.save()
  }
  useShortcut({
    key: 'F8',
    label: t('intake:keys.nextCheck'),
    run: () => goOn(current, settledNow),
    isEverywhere: true,
  })
  useShortcut({ key: 'F9', label: t('intake:keys.accept'), run: accept, isEverywhere: true })
  useShortcut({ key: 'F7', label: t('intake:keys.other'), run: () => takeOther(choices[0]?.value), isEverywhere: true })
  useShortcut({ key: 'Enter', mod: true, label: t('order:saveOrder'), run: () => save(false), isEverywhere: true })
  useShortcut({ key: 's', mod: true, label: t('order:saveOrder'), run: () => save(false), isEverywhere: true })
  useShortcut({ key: 'n', alt: true, label: t('intake:saveAndNext'), run: () => save(true), isEverywhere: true })
  // Also of a mail that reads as an order: *please confirm* and *please quote* are near to each other.
  const quote = () =>
    void navigate({
      to: '/quotes/create' as string,
      search: { mail: String(mail.id), draft: String(draft.position) } as never,
      // What was typed is kept on this device, and is there again beside the mail.
      ignoreBlocker: true,
    })
  useShortcut({ key: 'q', alt: true, label: t('intake:makeQuote'), run: quote, isEverywhere: true })
  const { proposed } = draft.customer
  return (
    <FormProvider value={form.context}>
      <div className={classes.work}>
        <header className={classes.head}>
          <BackLink to="/intake" label={t('intake:back')} />
          <h1>{t('intake:draft.title')}</h1>
          <span className={classes.tally} role="status">
            <span>
              <Icon name="check" size={13} /> <b>{counted('sure')}</b> {t('intake:sure')}
            </span>
            <span className={counted('check') > 0 ? classes.warn : classes.dim}>
              <Icon name="alert" size={13} /> <b>{counted('check')}</b> {t('intake:toCheck')}
            </span>
            <span>
              ○ <b>{counted('missing')}</b> {t('intake:notFound')}
            </span>
          </span>
          <span className={classes.grow} />
          <Button variant="subtle" onClick={onAssign}>
            {t('intake:assign.open')}
          </Button>
          <Button variant="subtle" onClick={onGiveBack}>
            {t('intake:giveBack')}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t(drafts.some(({ isSaved }) => isSaved) ? 'intake:nothingMore' : 'intake:notOrder')}
          </Button>
          <Button disabled={mustChoose} loading={form.isSaving && wantsNext.current} onClick={() => save(true)}>
            {t('intake:saveAndNext')}
          </Button>
          <Button
            variant="filled"
            disabled={mustChoose}
            loading={form.isSaving && !wantsNext.current}
            onClick={() => save(false)}
          >
            {t('order:saveOrder')}
          </Button>
        </header>
        <div className={classes.columns}>
          <MailPane
            mail={mail}
            passages={passages}
            current={current}
            labelOf={labelOf}
            body={mailText}
            onPick={(path) => {
              setCurrent(path)
              setStopOpen(stopBehind(path))
              setDetailsOf(lineBehind(path))
              focusPath(path)
            }}
          >
            {mark === undefined ? null : (
              <div className={classes.reading} data-state={states.get(mark.path)}>
                <b>{labelOf(mark.path)}</b> {t(`intake:means.${states.get(mark.path) ?? 'sure'}`)}
                {learned.has(mark.path) ? (
                  <span className={classes.learned}>
                    <Icon name="bulb" size={13} /> {t('intake:means.learned')}
                  </span>
                ) : null}
                {mark.said === null || settledNow.has(mark.path) ? null : (
                  <span>
                    {t(`intake:said.${mark.said.why}`, {
                      price: `${format.number(mark.said.amountCents / 100, 2, 2)} ${mark.said.currency}`,
                    })}
                  </span>
                )}
                {beside.length === 0 ? null : (
                  <span>{t('intake:doubt', { values: beside.map(({ value }) => otherWords(value)).join(', ') })}</span>
                )}
                {choices.map(({ value }, index) => (
                  <Button key={JSON.stringify(value)} size="compact-sm" onClick={() => takeOther(value)}>
                    {t('intake:orElse', { value: otherWords(value) })}
                    {index === 0 ? <KeyHint>F7</KeyHint> : null}
                  </Button>
                ))}
              </div>
            )}
            <SelectedWords
              body={mailText}
              current={current}
              fields={() => fieldsForWords(form.values())}
              labelOf={labelOf}
              wordsOf={wordsOf}
              onTake={takeWords}
            />
          </MailPane>
          <div
            ref={formRef}
            className={classes.form}
            // A key that saves: the grids would begin a new row with it.
            onKeyDownCapture={(event) => {
              const isSave = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
              if (!isSave || !event.currentTarget.contains(event.target as Node)) return
              event.preventDefault()
              event.stopPropagation()
              save(false)
            }}
            onFocus={({ target }) => {
              const path = target.getAttribute('name') ?? target.nextElementSibling?.getAttribute('name') ?? null
              if (path !== null) setCurrent(path)
            }}
          >
            {drafts.length < 2 ? null : (
              <TabBar
                label={t('intake:draft.several')}
                current={String(draft.position)}
                onSelect={(key) => onPosition(Number(key))}
                tabs={drafts
                  .filter(({ isSaved }) => !isSaved)
                  .map(({ position, values }) => ({
                    key: String(position),
                    label: tabOf(position, values),
                  }))}
              />
            )}
            {draft.attachment === null ? null : (
              <p className={classes.dim}>{t('intake:draft.standsIn', { file: draft.attachment.name })}</p>
            )}
            {again === null ? null : (
              <KnownOrderNotice
                again={again}
                isChosen={isChosen}
                onSecond={known.choose}
                filing={filing}
                mail={mail}
                draft={draft}
              />
            )}
            {mail.kind === 'other' ? (
              <Notice tone="warn">
                {t('intake:readsAsOther')}{' '}
                <Button size="compact-sm" onClick={quote}>
                  {t('intake:makeQuote')} <KeyHint>Alt</KeyHint> <KeyHint>Q</KeyHint>
                </Button>
              </Notice>
            ) : null}
            {proposed === null ? null : (
              <ProposedCustomer
                proposed={proposed}
                onMade={() => {
                  settle('customerIds')
                  focusPath('customerIds')
                }}
              />
            )}
            <FormMessages form={form} labelOf={labelOf} wordsOf={wordsOf} />
            <CustomerBlock />
            <StopsBlock detailsOf={stopOpen} onDetails={setStopOpen} />
            <CargoBlock detailsOf={detailsOf} onDetails={setDetailsOf} />
            <PriceBlock />
          </div>
        </div>
        <footer className={classes.foot}>
          <span className={classes.keys}>
            <KeyHint>F8</KeyHint> {t('intake:keys.nextCheck')} <KeyHint>F9</KeyHint> {t('intake:keys.accept')}{' '}
            <KeyHint>F2</KeyHint> {t('intake:keys.words')} <KeyHint>Ctrl</KeyHint> <KeyHint>Enter</KeyHint>{' '}
            {t('order:saveOrder')} <KeyHint>Alt</KeyHint> <KeyHint>N</KeyHint> {t('intake:saveAndNext')}
          </span>
          <span className={classes.dim}>{t('intake:readHere')}</span>
        </footer>
      </div>
      <LeaveGuard form={form} name={t('intake:draft.title')} labelOf={labelOf} />
    </FormProvider>
  )
}
