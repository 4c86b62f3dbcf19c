import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { can } from '@waybill/contract/permissions'
import { fuelBpOn } from '@waybill/contract/quote/pricing'
import { CARD_KINDS, CARD_RIGHTS, listRateCards, type RateCard } from '@waybill/contract/quote/rate-card'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { hasAccess } from '../../kit/session/session.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { QuoteTabs } from './quote-tabs.tsx'
import classes from './quote.module.css'
import { RateCardForm } from './rate-card-form.tsx'

/** Rate cards of the kinds that one keeps; beside them the one that is open. */
export function RateCardsPage() {
  const { t } = useTranslation('rate-card')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { card: named } = useSearch({ strict: false }) as { card?: unknown }
  const open = (card: string | null) =>
    void navigate({ to: '/rate-cards', search: (card === null ? {} : { card }) as never, resetScroll: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['rate-cards'],
    queryFn: ({ signal }) => callApi(listRateCards, { signal }),
  })
  const refresh = () => queries.invalidateQueries({ queryKey: ['rate-cards'] })
  const kinds = CARD_KINDS.filter((kind) => hasAccess(can(CARD_RIGHTS[kind])))
  const isNew = named === 'new'
  const shown = isNew ? null : (data?.items.find(({ id }) => String(id) === String(named)) ?? null)
  const isOpen = isNew || shown !== null
  useShortcut({ key: 'n', label: t('new'), run: () => open('new') }, !isNew)
  return (
    <div className={classes.page}>
      <PageHead
        title={t('title')}
        note={data === undefined ? '' : t('count', { count: data.items.length })}
        actions={
          <Button
            variant="filled"
            leftSection={<Icon name="plus" />}
            rightSection={<KeyHint>N</KeyHint>}
            onClick={() => open('new')}
          >
            {t('new')}
          </Button>
        }
      />
      <QuoteTabs current="rateCards" counts={undefined} />
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      <div className={classes.cards} data-open={isOpen || undefined}>
        {data === undefined ? (
          error ? null : (
            <SkeletonLines lines={8} label={t('title')} />
          )
        ) : data.items.length === 0 ? (
          <EmptyState icon="tag" title={t('empty')}>
            {t('emptyText')}
          </EmptyState>
        ) : (
          <CardTable cards={data.items} openId={shown?.id ?? null} />
        )}
        {isOpen ? (
          <RateCardForm
            key={shown?.id ?? 'new'}
            card={shown}
            kinds={kinds}
            onSaved={(card) => {
              notify({ tone: 'ok', title: t('saved'), closeLabel: t('close') })
              void refresh().then(() => open(String(card.id)))
            }}
            onRemoved={() => {
              open(null)
              void refresh()
            }}
            onClose={() => open(null)}
          />
        ) : (
          <p className={classes.none}>{t('choose')}</p>
        )}
      </div>
    </div>
  )
}

function CardTable({ cards, openId }: { cards: readonly RateCard[]; openId: number | null }) {
  const { t } = useTranslation('rate-card')
  const format = useFormat()
  const today = localToday()
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('title')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" data-wide>
              {t('fields.title')}
            </th>
            <th scope="col">{t('kind')}</th>
            <th scope="col" data-desk>
              {t('price')}
            </th>
            <th scope="col">{t('valid')}</th>
          </tr>
        </thead>
        <tbody>
          {cards.map((card) => {
            const { id, title, kind, customer, carrierCompany, lines, fuel, validTo } = card
            const owner =
              customer?.title ?? carrierCompany?.title ?? t(kind === 'sell' ? 'allCustomers' : 'allCarriers')
            const fuelBp = fuelBpOn(fuel, today)
            const [line] = lines
            return (
              <tr key={id} data-current={openId === id || undefined}>
                <td data-wide title={`${title}, ${owner}`}>
                  <Link
                    to="/rate-cards"
                    search={{ card: String(id) } as never}
                    aria-current={openId === id || undefined}
                  >
                    {title}
                  </Link>
                  <br />
                  <span className={classes.dim}>{owner}</span>
                </td>
                <td>{t(`kinds.${kind}`)}</td>
                <td data-desk>
                  {lines.length > 1 || line === undefined
                    ? t('lineCount', { count: lines.length })
                    : `${format.money(line.rateCents)} ${t(`per.${line.basis}`)}`}
                  <br />
                  <span className={classes.dim}>
                    {fuelBp > 0 ? t('fuelNow', { percent: format.percent(fuelBp) }) : ''}
                  </span>
                </td>
                <td data-late={(validTo !== null && validTo < today) || undefined}>
                  {validTo === null ? t('noEnd') : t('until', { day: format.date(validTo) })}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
