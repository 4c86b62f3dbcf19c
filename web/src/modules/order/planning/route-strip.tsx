import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { LOAD_LIMITS } from '@waybill/contract/order/cargo'
import type { BoardBar, BoardVehicle } from '@waybill/contract/order/planning/board'
import { legKm, stretchesOf, wheelMinutes, type Stretch } from '@waybill/contract/order/planning/driving'
import { peakOf, timeOfStop, type BarWarning, type Capacity } from '@waybill/contract/order/planning/warnings'
import { hasEnded } from '@waybill/contract/order/status'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { CountryCode, KeyHint, StopMark } from '../../../ui/marks/marks.tsx'
import { OrderStatusBadge } from '../status/status-badge.tsx'
import { orderPath } from '../values/paths.ts'
import { isConflict, longWords, placeName, useWarningWords } from './board-words.ts'
import classes from './planning.module.css'
import { TruckLinkButton } from './truck-link-button.tsx'

interface RouteStripProps {
  bar: BoardBar
  capacity: Capacity | null
  /** of the row; null: none that is on record */
  vehicle: BoardVehicle | null
  /** of the board */
  timeZone: string
  warnings: readonly BarWarning[]
  numberOf: (routeId: number) => string
  onChoose: () => void
  onUnplan: () => void
}

/** The chosen route: its stops with their times, the drive with its pauses, the load, the margin. */
export function RouteStrip(props: RouteStripProps) {
  const { bar, capacity, vehicle, timeZone, warnings, numberOf, onChoose, onUnplan } = props
  const { t } = useTranslation('planning')
  const format = useFormat()
  const warningWords = useWarningWords(numberOf)
  const { ldm, kg } = peakOf(bar.stops)
  const [mostLdm, mostKg] = [capacity?.ldm ?? LOAD_LIMITS.ldm, capacity?.payloadKg ?? LOAD_LIMITS.weightKg]
  const atStop = (stop: BoardBar['stops'][number]) => {
    const at = timeOfStop(stop)
    return at === null ? t('noTime') : format.dayTime(new Date(at).toISOString(), stop.timeZone)
  }
  const isAssigned = bar.ownFleet || bar.carrierCompany !== null
  return (
    <section className={classes.strip} aria-label={bar.number}>
      <div>
        <div>
          <Link to={orderPath(bar.orderId) as string}>{bar.number}</Link> <OrderStatusBadge status={bar.status} />
        </div>
        <div className={classes.cut}>{bar.customer.title}</div>
        <div className={classes.cut}>
          {[bar.ownFleet ? bar.plateNumber : bar.carrierCompany?.title, bar.driverNames].filter(Boolean).join(', ') ||
            t('lane.nobody')}
        </div>
        {bar.incomeCents === null ? null : (
          <div className={bar.incomeCents < 0 ? classes.red : classes.green}>
            {format.euro(bar.incomeCents)}
            {bar.marginBp === null ? null : ` · ${format.percent(bar.marginBp)}`}
          </div>
        )}
      </div>
      <ul className={classes.wide}>
        {bar.stops.map((stop, index) => (
          <li key={stop.id} className={classes.stripStop}>
            <StopMark position={index + 1} size={16} />
            <CountryCode code={stop.countryCode} />
            <span className={classes.cut}>{placeName(stop)}</span>
            <span>{atStop(stop)}</span>
          </li>
        ))}
      </ul>
      <div>
        <Drive bar={bar} />
        <ul>
          {warnings.map((warning) => (
            <li key={JSON.stringify(warning)} className={isConflict(warning) ? classes.red : classes.amber}>
              {warningWords(warning, bar.stops)}
            </li>
          ))}
        </ul>
      </div>
      <div className={`${classes.load} ${classes.wide}`}>
        <span>{t('ofLdm', { value: format.number(ldm), limit: format.number(mostLdm) })}</span>
        <Meter share={ldm / mostLdm} />
        <span>{t('ofKg', { value: format.number(kg), limit: format.number(mostKg) })}</span>
        <Meter share={kg / mostKg} />
      </div>
      <div className={classes.stripActs}>
        <Button
          size="compact-sm"
          component={Link}
          to={orderPath(bar.orderId) as string}
          rightSection={<KeyHint>{t('keys.enter')}</KeyHint>}
        >
          {t('open')}
        </Button>
        {hasEnded(bar.status) ? null : (
          <Button size="compact-sm" rightSection={<KeyHint>C</KeyHint>} onClick={onChoose}>
            {t('chooseCarrier')}
          </Button>
        )}
        <TruckLinkButton key={bar.routeId} bar={bar} vehicle={vehicle} timeZone={timeZone} />
        <Button size="compact-sm" rightSection={<KeyHint>{t('keys.delete')}</KeyHint>} onClick={onUnplan}>
          {t(isAssigned ? 'unplan' : 'removeRoute')}
        </Button>
      </div>
    </section>
  )
}

const Meter = ({ share }: { share: number }) => (
  <span className={classes.meter}>
    <i style={{ width: `${Math.min(1, share) * 100}%` }} data-over={share > 1 || undefined} />
  </span>
)

/** Stretches with the minute at which each begins. */
function withBeginnings(stretches: readonly Stretch[]): (Stretch & { from: number })[] {
  let from = 0
  return stretches.map((stretch) => {
    const placed = { ...stretch, from }
    from += stretch.minutes
    return placed
  })
}

/** The time at the wheel with its pauses, worked out; nothing where a place is not known. */
function Drive({ bar: { stops, distanceKm } }: { bar: BoardBar }) {
  const { t } = useTranslation('planning')
  const legs = stops.slice(1).map((stop, index) => legKm(stops[index]!, stop))
  const km = distanceKm ?? (legs.includes(null) ? null : legs.reduce<number>((sum, leg) => sum + leg!, 0))
  const minutes = wheelMinutes(km)
  if (minutes === null || minutes === 0) return <div className={classes.amber}>{t('driveUnknown')}</div>
  const stretches = withBeginnings(stretchesOf(minutes))
  return (
    <>
      <div>{t('atTheWheel', { long: longWords(minutes, t), km: Math.round(km!) })}</div>
      <div className={classes.drive} aria-hidden="true">
        {stretches.map(({ kind, minutes: long, from }) => (
          <span key={from} style={{ flex: long }} data-pause={kind === 'drive' ? undefined : kind}>
            {kind === 'rest' ? t('rest') : kind === 'drive' && long >= 120 ? longWords(long, t) : ''}
          </span>
        ))}
      </div>
    </>
  )
}
