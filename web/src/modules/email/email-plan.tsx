import { BEFORE_ARRIVING_MINUTES, type OpenedEmail } from '@waybill/contract/email'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { Section } from '../../ui/page/section.tsx'
import classes from './email-plan.module.css'

type Arrival = NonNullable<OpenedEmail['arrival']>

/** When a planned mail leaves, why then, and how that has moved with the plan of the transport. */
export function EmailPlan({ email }: { email: OpenedEmail }) {
  const { t } = useTranslation('email')
  if (!isPlanned(email)) return null
  return (
    <Section title={t('plan')}>
      <PlanWords email={email} />
    </Section>
  )
}

/** The same in the window of a mail, which has a title of its own. */
export function EmailPlanInWindow({ email }: { email: OpenedEmail }) {
  const { t } = useTranslation('email')
  if (!isPlanned(email)) return null
  return (
    <section className={classes.inWindow} aria-label={t('plan')}>
      <PlanWords email={email} />
    </section>
  )
}

const isPlanned = ({ status, waitsFor }: OpenedEmail): boolean => status === 'planned' && waitsFor === 'time'

function PlanWords({ email: { arrival, notBefore } }: { email: OpenedEmail }) {
  const { t } = useTranslation('email')
  const format = useFormat()
  const why =
    arrival === null
      ? t('afterPause')
      : t(arrival.city === null ? 'beforeArrival' : 'beforeArrivalIn', {
          minutes: BEFORE_ARRIVING_MINUTES,
          place: arrival.place,
          city: arrival.city,
        })
  // The clock at the stop is the one that the appointment goes by.
  const at =
    arrival === null
      ? format.dateTime(notBefore)
      : `${format.day(notBefore, arrival.timeZone)}, ${format.timeOfZone(notBefore, arrival.timeZone)}`
  return (
    <>
      <div className={classes.leaves}>
        <Icon name="clock" />
        <div>
          <b>{t('leaves', { at })}</b>
          <p className={classes.why}>{why}</p>
        </div>
      </div>
      {arrival === null || arrival.moves.length === 0 ? null : <Moves arrival={arrival} />}
      <p className={classes.why}>{t('madeThen')}</p>
    </>
  )
}

function Moves({ arrival: { moves, timeZone } }: { arrival: Arrival }) {
  const { t } = useTranslation('email')
  const format = useFormat()
  const said = (at: string | null): string => (at === null ? t('notPlanned') : format.dateTime(at, timeZone))
  return (
    <ol className={classes.moves} aria-label={t('planMoves')}>
      {moves.map(({ at, actor, from, to }) => (
        <li key={at}>
          <span>{t('moved', { from: said(from), to: said(to) })}</span>
          <span className={classes.by}>
            <time dateTime={at}>{format.dateTime(at)}</time>
            {actor === null ? null : ` · ${actor.title}`}
          </span>
        </li>
      ))}
    </ol>
  )
}
