import type { Acceptance } from '@waybill/contract/document'
import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from '../../ui/marks/icon.tsx'
import classes from './acceptance-mark.module.css'

const ICONS: Readonly<Record<Acceptance, IconName>> = { accepted: 'check', toCheck: 'eye', refused: 'close' }

/** Whether a proof of delivery counts: sign and words say it without the colour. */
export function AcceptanceMark({ acceptance }: { acceptance: Acceptance }) {
  const { t } = useTranslation('document')
  return (
    <span className={classes.mark} data-acceptance={acceptance}>
      <Icon name={ICONS[acceptance]} size={13} /> {t(`pod.acceptance.${acceptance}`)}
    </span>
  )
}
