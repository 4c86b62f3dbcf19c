import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  closeIntakeMail,
  countIntakeMails,
  INTAKE_STATES,
  isOpenMail,
  listIntakeMails,
  type IntakeRow,
  type IntakeState,
} from '@waybill/contract/intake/intake'
import { PAGE_SIZES, type PageSize } from '@waybill/contract/kit/paging'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { currentSession } from '../../../kit/session/session.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { useFileDrop } from '../../../ui/fields/use-file-drop.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { EmptyState, Notice } from '../../../ui/notices/notice.tsx'
import { DataTable } from '../../../ui/page/data-table.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Pager } from '../../../ui/page/pager.tsx'
import { TabBar } from '../../../ui/page/tab-bar.tsx'
import { UserSelect } from '../../user/user-select.tsx'
import classes from './intake.module.css'
import { MailboxState } from './mailbox-state.tsx'
import { mailPath, senderOf } from './mail-words.ts'
import { NotOrderWindow } from './mail-windows.tsx'
import { PasteWindow } from './paste-window.tsx'
import { useIntakeColumns } from './intake-columns.tsx'
import { useBringIn } from './use-bring-in.ts'
import { takeWaiting } from './waiting-files.ts'

const TABS = ['latest', 'open', 'drafted', 'saved', 'not_order'] as const
type Tab = (typeof TABS)[number]

const STATES_OF: Readonly<Record<Tab, readonly IntakeState[]>> = {
  latest: INTAKE_STATES,
  open: ['new'],
  drafted: ['drafted'],
  saved: ['saved'],
  not_order: ['not_order'],
}

const TYPING_MS = 250

const PHONE_GRID =
  '"state values received" 24px "from from from" 22px "subject subject subject" 22px ' +
  '"read read loading" 22px / auto minmax(0, 1fr) auto'

/** What the address says; anything else that stands there is passed over. */
function useNarrowing() {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const person = Number(search.who)
  const given = {
    tab: TABS.find((one) => one === search.tab) ?? 'latest',
    q: typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : '',
    /** whose mails: the caller's, a person's, or with null everybody's */
    who: search.who === 'mine' ? ('mine' as const) : Number.isSafeInteger(person) && person > 0 ? person : null,
  }
  const go = (change: Partial<typeof given>) => {
    const { tab, q, who } = { ...given, ...change }
    void navigate({
      to: '/intake' as string,
      replace: true,
      search: {
        ...(tab !== 'latest' && { tab }),
        ...(q !== '' && { q }),
        ...(who !== null && { who: String(who) }),
      } as never,
    })
  }
  return { given, go }
}

/** Mails with orders as they came in, to be worked through one by one. */
export function IntakePage() {
  const { t } = useTranslation(['intake', 'list', 'common'])
  const format = useFormat()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { given, go } = useNarrowing()
  const { tab, who } = given
  const [typed, setTyped] = useState(given.q)
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS)
  const finder = useRef<HTMLInputElement>(null)
  const [page, setPage] = useState(1)
  const [perPage, setPerPage] = useState<PageSize>(25)
  const [current, setCurrent] = useState<number | null>(null)
  const [isPasting, setPasting] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const open = (id: number) => void navigate({ to: mailPath(id) })
  const { files, problems } = useBringIn()
  const take = (list: FileList | null) => {
    if (list !== null && list.length > 0) files.mutate([...list])
  }
  const drop = useFileDrop(take)
  const { mutate: bringIn } = files
  useEffect(() => {
    const dropped = takeWaiting()
    if (dropped.length > 0) bringIn(dropped)
  }, [bringIn])

  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['intake-mails', 'list', tab, who, q, page, perPage],
    queryFn: ({ signal }) =>
      callApi(listIntakeMails, {
        // What has waited longest is done first.
        query: {
          page,
          perPage,
          status: [...STATES_OF[tab]],
          sort: tab === 'open' ? 'receivedAt' : '-receivedAt',
          ...(q !== '' && { q }),
          ...(who === 'mine' ? { mine: true } : who === null ? {} : { assignedToId: [who] }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  const state = useQuery({
    queryKey: ['intake-mails', 'counts'],
    queryFn: ({ signal }) => callApi(countIntakeMails, { signal }),
    refetchInterval: 60_000,
    meta: { showsRefusals: true },
  }).data
  const counts = state?.byState
  const rows = data?.items ?? []
  const toDo = useQuery({
    queryKey: ['intake-mails', 'to-do'],
    queryFn: ({ signal }) =>
      callApi(listIntakeMails, { query: { perPage: 10, waitsForMe: true, sort: 'receivedAt' }, signal }),
    meta: { showsRefusals: true },
  }).data
  const step = (by: 1 | -1) => {
    const at = rows.findIndex(({ id }) => id === current)
    const next = rows[at < 0 ? 0 : at + by]
    if (next !== undefined) setCurrent(next.id)
  }
  const userId = currentSession()?.profile.id
  const isOthers = ({ state, assignedTo }: IntakeRow) => state === 'drafted' && assignedTo?.id !== userId
  const inHand = rows.find(({ id }) => id === current)
  const [asked, setAsked] = useState<IntakeRow | null>(null)
  const close = useMutation({
    mutationFn: ({ id, version }: IntakeRow) =>
      callApi(closeIntakeMail, { params: { id }, version, body: { reason: null } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['intake-mails'] }),
  })
  const putAside = (row: IntakeRow) => (row.orders.length + row.quotes.length > 0 ? close.mutate(row) : setAsked(row))
  const first = toDo?.items[0]
  useShortcut({ key: 'j', label: t('intake:keys.next'), run: () => step(1) })
  useShortcut({ key: 'k', label: t('intake:keys.previous'), run: () => step(-1) })
  useShortcut({ key: 'u', label: t('intake:addFiles'), run: () => chooser.current?.click() })
  useShortcut({ key: 'v', label: t('intake:paste.do'), run: () => setPasting(true) })
  useShortcut(
    { key: 'Enter', label: t('intake:keys.draft'), run: () => open((inHand ?? first)!.id) },
    inHand !== undefined || first !== undefined,
  )
  useShortcut(
    { key: 'x', label: t('intake:notOrder'), run: () => putAside(inHand!) },
    inHand !== undefined && isOpenMail(inHand.state) && !isOthers(inHand),
  )
  useShortcut({ key: '/', label: t('intake:search'), run: () => finder.current?.focus() })
  const narrow = (change: Partial<typeof given>) => {
    setPage(1)
    setCurrent(null)
    go({ q: typed.trim(), ...change })
  }
  const isNarrowed = q !== '' || who !== null
  const columns = useIntakeColumns()
  const firstOfPage = (page - 1) * perPage + 1
  return (
    <div className={classes.page} {...drop}>
      <PageHead
        title={t('intake:title')}
        actions={
          <>
            <input
              ref={chooser}
              type="file"
              multiple
              accept=".eml,.msg,.pdf,.txt,.html,.htm,.xlsx,.csv,.jpg,.jpeg,.png"
              className={classes.hidden}
              tabIndex={-1}
              aria-label={t('intake:addFiles')}
              onChange={(event) => {
                take(event.currentTarget.files)
                event.currentTarget.value = ''
              }}
            />
            <Button
              leftSection={<Icon name="upload" />}
              rightSection={<KeyHint>U</KeyHint>}
              loading={files.isPending}
              onClick={() => chooser.current?.click()}
            >
              {t('intake:addFiles')}
            </Button>
            <Button
              leftSection={<Icon name="mail" />}
              rightSection={<KeyHint>V</KeyHint>}
              onClick={() => setPasting(true)}
            >
              {t('intake:paste.do')}
            </Button>
            {first === undefined ? null : (
              <Button variant="filled" onClick={() => open(first.id)}>
                {t('intake:workThrough', { count: toDo!.total })}
              </Button>
            )}
          </>
        }
      />
      <TabBar<Tab>
        label={t('intake:column.state')}
        current={tab}
        onSelect={(key) => narrow({ tab: key })}
        tabs={TABS.map((key) => ({
          key,
          label: t(`intake:tab.${key}`),
          ...(counts === undefined || key === 'latest'
            ? {}
            : {
                count: format.number(counts[key === 'open' ? 'new' : key]),
                countTone: key === 'open' && counts.new > 0 ? ('warn' as const) : ('plain' as const),
              }),
        }))}
      />
      <div className={classes.tools} role="search">
        <TextInput
          ref={finder}
          size="xs"
          type="search"
          aria-label={t('intake:search')}
          placeholder={t('intake:search')}
          rightSection={<KeyHint>/</KeyHint>}
          value={typed}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value)
            narrow({ q: value.trim() })
          }}
        />
        <Button
          size="compact-sm"
          aria-pressed={who === 'mine'}
          onClick={() => narrow({ who: who === 'mine' ? null : 'mine' })}
        >
          {t('intake:mine')}
        </Button>
        <UserSelect
          label={t('intake:person')}
          placeholder={t('intake:person')}
          value={typeof who === 'number' ? who : null}
          onChange={(id) => narrow({ who: id })}
        />
      </div>
      {state?.mailbox ? <MailboxState mailbox={state.mailbox} /> : null}
      {problems.length === 0 ? null : (
        <div className={classes.notice}>
          <Notice tone="danger">
            {problems.map((problem) => (
              <div key={problem}>{problem}</div>
            ))}
          </Notice>
        </div>
      )}
      {error === null ? (
        <div className={classes.list}>
          <DataTable<IntakeRow>
            label={t('intake:title')}
            columns={columns}
            rows={data ? rows : null}
            rowKey={({ id }) => id}
            rowName={(row) => row.subject ?? senderOf(row) ?? t('intake:noSubject')}
            currentKey={current}
            onRowClick={({ id }) => open(id)}
            isBusy={isPlaceholderData}
            empty={
              <EmptyState icon="inbox" title={t(isNarrowed ? 'intake:nothingFound' : 'intake:empty')}>
                {t(isNarrowed ? 'intake:nothingFoundMeans' : 'intake:emptyMeans')}
              </EmptyState>
            }
            phoneGrid={PHONE_GRID}
            minWidth={1000}
          />
        </div>
      ) : (
        <LoadError error={error} onRetry={() => void refetch()} />
      )}
      <p className={classes.drop}>
        <Icon name="upload" size={13} /> {t('intake:drop')}
      </p>
      <footer className={classes.foot}>
        <span className={classes.keys}>
          <KeyHint>J</KeyHint> <KeyHint>K</KeyHint> {t('intake:keys.move')} <KeyHint>Enter</KeyHint>{' '}
          {t('intake:keys.draft')} <KeyHint>X</KeyHint> {t('intake:notOrder')}
        </span>
        <Pager
          page={page}
          pageCount={data ? Math.max(1, Math.ceil(data.total / perPage)) : null}
          hasNext={data !== undefined && data.nextCursor !== null}
          onPage={setPage}
          perPage={perPage}
          sizes={PAGE_SIZES}
          onPerPage={(size) => {
            setPerPage(size as PageSize)
            setPage(1)
          }}
          range={
            rows.length === 0
              ? ''
              : t('intake:range', { first: firstOfPage, last: firstOfPage + rows.length - 1, total: data!.total })
          }
          labels={{
            nav: t('list:pager.label'),
            rows: t('list:pager.rows'),
            previous: t('list:pager.previous'),
            next: t('list:pager.next'),
            page: (wanted) => t('list:pager.page', { page: wanted }),
          }}
        />
      </footer>
      {asked === null ? null : <NotOrderWindow mail={asked} onDone={() => undefined} onClose={() => setAsked(null)} />}
      {isPasting ? <PasteWindow onClose={() => setPasting(false)} onDone={open} /> : null}
    </div>
  )
}
