import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { DueReminder, ReminderItem } from '@waybill/contract/reminder/reminder'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { CheckField } from '../../ui/fields/check-field.tsx'
import { Light } from '../../ui/marks/light.tsx'
import { Count } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { WriteOffSection } from '../payment/write-off-section.tsx'
import classes from './reminder.module.css'
import { ReminderWindow } from './reminder-window.tsx'
import { sumOf, useReminders, type Outcome } from './use-reminders.ts'

// A person looks at some hundreds at most; the others follow once these are sent.
const MOST_SHOWN = 200

/**
 * The reminders that are due, by level, to tick and to send; and who is left out, with the reason. X ticks those of
 * the customer that the keyboard holds in the table beside it.
 */
export function RemindersSection({ q, customerId }: { q: string; customerId: number | null }) {
  const { t } = useTranslation('reminder')
  const format = useFormat()
  const [isLooking, setLooking] = useState(false)
  const tell = ({ sent, held: waiting, refused }: Outcome) => {
    setLooking(false)
    const title = [
      sent > 0 || waiting === 0 ? t('sent', { count: sent }) : null,
      waiting > 0 ? t('held', { count: waiting }) : null,
    ]
    notify(
      refused.length === 0
        ? { tone: 'ok', title: title.filter(Boolean).join('. '), closeLabel: t('close') }
        : {
            tone: 'danger',
            title: t('notSent', { count: refused.length }),
            detail: refused.map(({ customer, words }) => `${customer}: ${words}`).join(' · '),
            closeLabel: t('close'),
          },
    )
  }
  const reminders = useReminders(q, tell)
  const { data, error, refetch, leftOut, tick, chosen, sending, send } = reminders
  const held = (data?.items ?? []).flatMap((reminder) =>
    reminder.customer.id === customerId ? reminder.items.map(({ invoice }) => invoice.id) : [],
  )
  useShortcut(
    {
      key: 'x',
      label: t('keys.tick'),
      run: () =>
        tick(
          held,
          held.every((id) => leftOut.has(id)),
        ),
    },
    held.length > 0 && sending === null && !isLooking,
  )
  if (error && data === undefined)
    return (
      <aside className={classes.aside} aria-label={t('title')}>
        <LoadError error={error} onRetry={() => void refetch()} />
      </aside>
    )
  const rows = (data?.items ?? []).flatMap((reminder) => reminder.items.map((item) => ({ reminder, item })))
  const levels = [...new Set(rows.map(({ item }) => item.level))].toSorted((one, other) => other - one)
  const items = chosen.flatMap((reminder) => reminder.items)
  return (
    <aside className={classes.aside} aria-label={t('title')}>
      <header className={classes.head}>
        <h2>{t('title')}</h2>
        {rows.length === 0 ? null : <Count tone="warn">{rows.length}</Count>}
        <span className={classes.grow} />
        <Button size="compact-sm" disabled={chosen.length === 0 || sending !== null} onClick={() => setLooking(true)}>
          {t('preview')}
        </Button>
      </header>
      <div className={classes.list} tabIndex={0} role="group" aria-label={t('title')}>
        {data === undefined ? <SkeletonLines lines={6} label={t('title')} /> : null}
        {data !== undefined && rows.length === 0 ? <p className={classes.dim}>{t('none')}</p> : null}
        {levels.map((level) => (
          <LevelRows
            key={level}
            level={level}
            rows={rows.filter(({ item }) => item.level === level).slice(0, MOST_SHOWN)}
            leftOut={leftOut}
            heldId={customerId}
            isBusy={sending !== null}
            onTick={tick}
          />
        ))}
        {data === undefined || data.leftOut.length === 0 ? null : (
          <section className={classes.left}>
            <h3>{t('leftOut.title')}</h3>
            <ul>
              {data.leftOut.slice(0, MOST_SHOWN).map(({ company, customer, reason, mailId, ...left }) => (
                <li key={`${company.id} ${customer.id} ${reason}`}>
                  <Light level="open" label={t(`leftOut.${reason}`)} />
                  <span className={classes.leftText}>
                    <span className={classes.name}>{customer.title}</span>
                    <span className={classes.dim}>
                      {[t(`leftOut.${reason}`), left.detail].filter(Boolean).join(': ')}
                    </span>
                    {mailId === null ? null : <Link to={`/preview/${mailId}` as string}>{t('heldMail')}</Link>}
                    <span className={classes.numbers}>
                      {left.invoices.map(({ id, title }) => (
                        <Link key={id} to="/invoices/$id/edit" params={{ id: String(id) }}>
                          {title}
                        </Link>
                      ))}
                    </span>
                  </span>
                  {reason === 'rest' ? (
                    <WriteOffSection
                      companyId={company.id}
                      customerId={customer.id}
                      invoices={left.invoices}
                      onDone={() => void refetch()}
                    />
                  ) : (
                    <span className={classes.amount}>{format.money(left.openCents)}</span>
                  )}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {items.length === 0 ? null : (
        <footer className={classes.foot}>
          <span className={classes.dim}>{t('sumOf', { count: items.length })}</span>
          <span className={classes.grow} />
          <b>{format.euro(sumOf(items))}</b>
          <Button variant="filled" loading={sending !== null} onClick={() => setLooking(true)}>
            {t('send', { count: chosen.length })}
          </Button>
        </footer>
      )}
      {isLooking ? (
        <ReminderWindow
          reminders={chosen}
          sending={sending}
          onLeaveOut={(reminder) =>
            tick(
              reminder.items.map(({ invoice }) => invoice.id),
              false,
            )
          }
          onSend={() => void send()}
          onClose={() => setLooking(false)}
        />
      ) : null}
    </aside>
  )
}

interface LevelRowsProps {
  level: number
  rows: readonly { reminder: DueReminder; item: ReminderItem }[]
  leftOut: ReadonlySet<number>
  /** the customer whose rows X ticks */
  heldId: number | null
  isBusy: boolean
  onTick: (invoiceIds: readonly number[], isOn: boolean) => void
}

function LevelRows({ level, rows, leftOut, heldId, isBusy, onTick }: LevelRowsProps) {
  const { t } = useTranslation('reminder')
  const format = useFormat()
  const claims = [
    rows.some(({ item }) => item.feeCents > 0) ? t('withFee') : null,
    rows.some(({ item }) => item.interestCents > 0) ? t('withInterest') : null,
  ].filter(Boolean)
  return (
    <section className={classes.level}>
      <h3>
        {t('level', { level })}{' '}
        <span className={classes.dim}>{claims.length === 0 ? t('friendly') : claims.join(' ')}</span>
      </h3>
      {rows.map(({ reminder, item }) => (
        <div key={item.invoice.id} className={classes.row} data-current={reminder.customer.id === heldId || undefined}>
          <CheckField
            aria-label={t('tick', { number: item.invoice.title, customer: reminder.customer.title })}
            checked={!leftOut.has(item.invoice.id)}
            disabled={isBusy}
            onChange={(event) => onTick([item.invoice.id], event.currentTarget.checked)}
          />
          <span className={classes.rowText}>
            <span className={classes.line}>
              <span className={classes.name} title={`${reminder.customer.title} · ${reminder.company.title}`}>
                {reminder.customer.title}
              </span>
              <b className={classes.amount}>{format.money(item.openCents)}</b>
            </span>
            <span className={classes.line}>
              <Link to="/invoices/$id/edit" params={{ id: String(item.invoice.id) }}>
                {item.invoice.title}
              </Link>
              <span className={classes.dim}>{t('daysLate', { count: item.daysLate })}</span>
            </span>
            {reminder.to === null ? (
              <span className={classes.line}>
                <Light level="look" label={t('withoutAddress')} />
                <span className={classes.dim}>{t('withoutAddress')}</span>
              </span>
            ) : null}
          </span>
        </div>
      ))}
    </section>
  )
}
