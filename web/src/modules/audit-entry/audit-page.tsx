import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { SIGN_IN_ACTIONS } from '@waybill/contract/audit/audit-entry'
import { AUDIT_KINDS, AUDIT_TOPICS, listLoggedEntries, type LoggedEntry } from '@waybill/contract/audit/log'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { Mark } from '../../ui/marks/marks.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import { DataTable, type Column } from '../../ui/page/data-table.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { DayField } from '../typed-day/day-select.tsx'
import { UserSelect } from '../user/user-select.tsx'
import classes from './audit-page.module.css'
import { thingIn } from './history-section.tsx'

type Kind = (typeof AUDIT_KINDS)[number]
type Topic = (typeof AUDIT_TOPICS)[number]

/** The screens of the kinds of records; those that are missing have none for one record. */
const SCREENS: Readonly<Partial<Record<Kind, string>>> = {
  order: '/orders',
  invoice: '/invoices',
  customer: '/customer',
  carrierCompany: '/carrier-companies',
  user: '/users',
  userRole: '/user-roles',
  company: '/companies',
  department: '/departments',
  country: '/countries',
  salutation: '/salutations',
  unitType: '/unit-types',
  vehicleType: '/vehicle-types',
  cargoType: '/cargo-types',
  specialHandlingType: '/special-handling-types',
  vehicle: '/vehicles',
  loadCarrierType: '/load-carrier-types',
  loadCarrierPlace: '/load-carrier-places',
  emissionFactor: '/emission-factors',
}

/** Screens of one record at another address than `/<screen>/<id>/edit`. */
const ADDRESSES: Readonly<Partial<Record<Kind, (id: number) => string>>> = {
  quote: (id) => `/quotes/edit/${id}`,
  recurringOrder: (id) => `/recurring-orders/edit/${id}`,
}

function addressOf(kind: Kind, id: number): string | null {
  const screen = SCREENS[kind]
  return ADDRESSES[kind]?.(id) ?? (screen === undefined ? null : `${screen}/${id}/edit`)
}

/** Exported lists that are not called as their screen is. */
const LISTS: Readonly<Record<string, string>> = {
  'payment-files': 'paymentRuns',
  'open-items/receivables': 'openItems',
  'invoices/ksef/not-issued': 'ksef',
  'load-carriers/accounts': 'loadCarriers',
  'load-carriers/movements': 'loadCarriers',
  'reports/margin': 'reports',
  'reports/punctuality': 'reports',
  'reports/open-pods': 'reports',
  'reports/losses': 'reports',
  'reports/spans': 'reports',
  'reports/emission': 'reports',
  'planning/for-sale': 'planning',
}

const PHONE_GRID = '"time what" auto "who record" auto / minmax(0, 1fr) minmax(0, 1fr)'

const isOneOf = <const Values extends readonly string[]>(values: Values, value: unknown): value is Values[number] =>
  values.includes(value as string)

interface Narrowing {
  topic?: Topic
  kind?: Kind
  actorId?: number
  until?: string
}

/** What the address asks for; what it cannot mean counts as not asked. */
function useNarrowing(): [Narrowing, (next: { [Name in keyof Narrowing]?: Narrowing[Name] | undefined }) => void] {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const actorId = Number(search.by)
  const narrowing: Narrowing = {
    ...(isOneOf(AUDIT_TOPICS, search.topic) && { topic: search.topic }),
    ...(isOneOf(AUDIT_KINDS, search.kind) && { kind: search.kind }),
    ...(Number.isSafeInteger(actorId) && actorId > 0 && { actorId }),
    ...(typeof search.until === 'string' &&
      /^\d{4}-\d{2}-\d{2}$/.test(search.until) &&
      !Number.isNaN(Date.parse(search.until)) && { until: search.until }),
  }
  const go = (next: { [Name in keyof Narrowing]?: Narrowing[Name] | undefined }) => {
    const { topic, kind, actorId: by, until } = { ...narrowing, ...next }
    const asked = { topic, kind, by: by === undefined ? undefined : String(by), until }
    void navigate({ to: '.', search: asked as never, replace: true, resetScroll: false })
  }
  return [narrowing, go]
}

/** Everything that was done, by all: who got in, what was changed, what was taken out. For administrators. */
export function AuditPage() {
  const { t } = useTranslation('audit')
  const { t: words } = useTranslation('history')
  const errorText = useErrorText()
  const [narrowing, go] = useNarrowing()
  const { topic, kind, actorId, until } = narrowing
  const log = useInfiniteQuery({
    queryKey: ['audit', narrowing],
    queryFn: ({ pageParam, signal }) =>
      callApi(listLoggedEntries, {
        query: {
          ...narrowing,
          timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          ...(pageParam === null ? {} : { after: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    meta: { showsRefusals: true },
  })
  const columns = useColumns()
  const rows = log.data?.pages.flatMap(({ items }) => items) ?? null
  return (
    <div className={classes.page}>
      <PageHead title={t('title')} />
      <p className={classes.means}>{t('means')}</p>
      <div className={classes.filter}>
        <Segmented
          label={t('topic')}
          value={topic ?? 'all'}
          onChange={(next) => go({ topic: next === 'all' ? undefined : next })}
          options={[
            { value: 'all', label: t('topics.all') },
            ...AUDIT_TOPICS.map((value) => ({ value, label: t(`topics.${value}`) })),
          ]}
        />
        <UserSelect
          label={t('by')}
          value={actorId ?? null}
          onChange={(id) => go({ actorId: id ?? undefined })}
          placeholder={t('byAll')}
        />
        <SelectField
          label={t('kind')}
          placeholder={t('kindAll')}
          clearable
          data={AUDIT_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          value={kind ?? null}
          onChange={(value) => go({ kind: isOneOf(AUDIT_KINDS, value) ? value : undefined })}
        />
        <DayField
          label={t('until')}
          value={until ?? localToday()}
          onChange={(day) => go({ until: day === localToday() ? undefined : day })}
        />
      </div>
      {log.error !== null && rows === null ? (
        <LoadError error={log.error} onRetry={() => void log.refetch()} />
      ) : (
        <div className={classes.table}>
          <DataTable<LoggedEntry>
            label={t('title')}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            rowName={({ action, id }) => `${words(`actions.${action}`, { defaultValue: action })} ${id}`}
            skeletonRows={12}
            empty={
              <EmptyState icon="history" title={t('empty')}>
                {t('emptyMeans')}
              </EmptyState>
            }
            phoneGrid={PHONE_GRID}
            minWidth={860}
          />
          {rows === null || rows.length === 0 ? null : (
            <div className={classes.end}>
              {log.error === null ? null : <p role="alert">{errorText(log.error)}</p>}
              {log.hasNextPage ? (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  loading={log.isFetchingNextPage}
                  onClick={() => void log.fetchNextPage()}
                >
                  {words('older')}
                </Button>
              ) : (
                <p>{words('entire')}</p>
              )}
            </div>
          )}
        </div>
      )}
    </div>
  )
}

const isSignIn = (action: string): boolean => isOneOf(SIGN_IN_ACTIONS, action)

function useColumns(): readonly Column<LoggedEntry>[] {
  const { t } = useTranslation('audit')
  const { t: words } = useTranslation('history')
  const { t: shell } = useTranslation('shell')
  const format = useFormat()
  return useMemo((): readonly Column<LoggedEntry>[] => {
    const listName = (path: string) => shell(`screen.${LISTS[path] ?? camelCase(path)}`, { defaultValue: path })
    return [
      {
        key: 'time',
        head: t('column.time'),
        width: 150,
        cell: ({ at }) => (
          <time dateTime={at} className={classes.dim}>
            {format.dateTime(at)}
          </time>
        ),
      },
      {
        key: 'who',
        head: t('column.who'),
        width: 220,
        cell: ({ actor, apiKey, action, owner }) => {
          const name = actor?.title ?? (isSignIn(action) ? t('nobody') : words('system'))
          return (
            <span className={classes.words} title={name}>
              {actor === null && owner.id !== 0 ? <span className={classes.dim}>{name}</span> : name}
              {apiKey === null ? null : <span className={classes.dim}> {words('byKey', { title: apiKey.title })}</span>}
            </span>
          )
        },
      },
      {
        key: 'record',
        head: t('column.record'),
        width: 260,
        cell: ({ owner }) => <Owner owner={owner} />,
      },
      {
        key: 'what',
        head: t('column.what'),
        cell: (entry) => {
          const { action, changes, reason } = entry
          const detail = [
            action === 'exported' ? listName(String(changes[0]?.to ?? '')) : thingIn(entry),
            action === 'updated' ? t('changed', { count: changes.length }) : null,
            reason === null ? null : `“${reason}”`,
          ].filter((part) => part !== null && part !== '')
          const label = words(`actions.${action}`, { defaultValue: t(`actions.${action}`, { defaultValue: action }) })
          return (
            <span className={classes.words} title={[label, ...detail].join(', ')}>
              {action === 'signInRefused' || action === 'codeRefused' ? <Mark level={2}>{label}</Mark> : label}
              {detail.length === 0 ? null : <span className={classes.dim}> {detail.join(', ')}</span>}
            </span>
          )
        },
      },
    ]
  }, [t, words, shell, format])
}

const camelCase = (path: string): string => path.replace(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase())

function Owner({ owner: { kind, id, title } }: { owner: LoggedEntry['owner'] }) {
  const { t } = useTranslation('audit')
  const address = isOneOf(AUDIT_KINDS, kind) ? addressOf(kind, id) : null
  const name = id === 0 ? t('unknownAddress') : title
  return (
    <span className={classes.record} title={name ?? undefined}>
      <span className={classes.dim}>{t(`kinds.${kind}`, { defaultValue: kind })}</span>
      {address === null || title === null ? <span>{name}</span> : <Link to={address}>{name}</Link>}
    </span>
  )
}
