import { Link } from '@tanstack/react-router'
import {
  ACCOUNT_EMAIL_TYPES,
  EMAIL_ORIGINS,
  EMAIL_STATUSES,
  EMAIL_TYPES,
  emailApi,
  type EmailRow,
} from '@waybill/contract/email'
import { orderApi } from '@waybill/contract/order/order'
import { ORDER_ACCESS } from '@waybill/contract/permissions'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import type { ListFilter } from '../../kit/list/filter/filters.ts'
import { ListPage } from '../../kit/list/page/list-page.tsx'
import type { ListColumn } from '../../kit/list/page/list-table.tsx'
import type { RowSelection } from '../../kit/list/page/row-selection.ts'
import { useList, type List } from '../../kit/list/page/use-list.ts'
import { hasAccess } from '../../kit/session/session.ts'
import { lateWindow } from '../../ui/windows/late-window.tsx'
import { EmailBulkActions } from './email-bulk-actions.tsx'
import classes from './email-list-page.module.css'
import { emailPath, OwnerLink } from './email-page.tsx'
import { EmailStateMark } from './email-state-mark.tsx'
import { useEmailWords } from './email-words.ts'

const EmailWindow = lateWindow(() => import('./email-window.tsx').then((file) => file.EmailWindow))

const showActions = (selection: RowSelection<EmailRow>, list: List<EmailRow>) => (
  <EmailBulkActions selection={selection} list={list} />
)

/** The card of a phone, in four lines. */
const PHONE_GRID = [
  '"select type status" 24px',
  '"select to to" 20px',
  '"select record createdAt" 20px',
  '"select customer customer" 20px',
  '/ 32px minmax(0, 1fr) auto',
].join(' ')

/** All mails that the person may see, the newest first. */
export function EmailListPage() {
  const { t } = useTranslation('email')
  const { receiver } = useEmailWords()
  const list = useList(emailApi, { filters: useEmailFilters() })
  const [open, setOpen] = useState<EmailRow | null>(null)
  // Who has no right to orders has no page of a mail either (spec §2), but reads it here.
  const hasPages = hasAccess(ORDER_ACCESS)
  return (
    <ListPage
      list={list}
      title={t('allMails')}
      columns={useEmailColumns(hasPages ? null : setOpen)}
      rowName={(email) => `${t(`types.${email.type}`)} ${email.owner.title} ${receiver(email)}`}
      pathOf={emailPath}
      onOpen={hasPages ? undefined : setOpen}
      emptyText={t('emptyAll')}
      bulk={showActions}
      phoneGrid={PHONE_GRID}
      minWidth={1000}
    >
      {open === null ? null : <EmailWindow email={open} onClose={() => setOpen(null)} />}
    </ListPage>
  )
}

function useEmailColumns(onOpen: ((email: EmailRow) => void) | null): readonly ListColumn<EmailRow>[] {
  const { t } = useTranslation('email')
  const format = useFormat()
  const { receiver } = useEmailWords()
  return useMemo(
    (): readonly ListColumn<EmailRow>[] => [
      {
        id: 'status',
        header: t('column.status'),
        isSortable: false,
        meta: { width: 124 },
        cell: (row) => <EmailStateMark email={row} />,
      },
      {
        id: 'type',
        header: t('column.type'),
        isSortable: false,
        meta: { width: 158 },
        cell: (row) =>
          onOpen === null ? (
            <Link to={emailPath(row.id) as string}>{t(`types.${row.type}`)}</Link>
          ) : (
            <button type="button" className={classes.open} onClick={() => onOpen(row)}>
              {t(`types.${row.type}`)}
            </button>
          ),
      },
      {
        id: 'to',
        header: t('column.to'),
        isSortable: false,
        cell: (row) => (
          <span className={classes.to} title={receiver(row)}>
            {receiver(row)}
          </span>
        ),
      },
      {
        id: 'record',
        header: t('column.record'),
        isSortable: false,
        meta: { width: 112 },
        cell: (row) => <OwnerLink owner={row.owner} />,
      },
      {
        id: 'customer',
        header: t('column.customer'),
        isSortable: false,
        cell: (row) => (row.customer ?? row.owner.customer)?.title,
      },
      {
        id: 'createdAt',
        header: t('column.createdAt'),
        isSortable: false,
        meta: { width: 148 },
        cell: (row) => <time dateTime={row.createdAt}>{format.dateTime(row.createdAt)}</time>,
      },
      {
        id: 'subject',
        header: t('column.subject'),
        isSortable: false,
        meta: { isHiddenOnPhone: true },
        cell: (row) => row.subject,
      },
    ],
    [t, format, receiver, onOpen],
  )
}

function useEmailFilters(): readonly ListFilter[] {
  const { t } = useTranslation('email')
  return useMemo(
    (): readonly ListFilter[] => [
      {
        kind: 'choices',
        name: 'status',
        label: t('filter.status'),
        choices: EMAIL_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
      },
      {
        kind: 'choices',
        name: 'type',
        label: t('filter.type'),
        choices: [...EMAIL_TYPES, ...ACCOUNT_EMAIL_TYPES].map((value) => ({ value, label: t(`types.${value}`) })),
      },
      ...(hasAccess(ORDER_ACCESS)
        ? [{ kind: 'records' as const, name: 'orderIds', label: t('filter.orderIds'), api: orderApi }]
        : []),
      { kind: 'days', name: 'createdAt', label: t('filter.createdAt') },
      {
        kind: 'choices',
        name: 'origin',
        label: t('filter.origin'),
        choices: EMAIL_ORIGINS.map((value) => ({ value, label: t(`origin.${value}`) })),
      },
    ],
    [t],
  )
}
