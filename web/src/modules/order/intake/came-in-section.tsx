import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listIntakeMails, type IntakeRow } from '@waybill/contract/intake/intake'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { FileButton } from './file-button.tsx'
import classes from './intake.module.css'
import { mailPath, senderOf } from './mail-words.ts'

/** The mails of the customer that became this order or quote, or were filed with it; nothing where there are none. */
export function CameInMails({ of }: { of: { orderId: number } | { quoteId: number } }) {
  const { t } = useTranslation('intake')
  const format = useFormat()
  const { data } = useQuery({
    queryKey: ['intake-mails', 'of', of],
    queryFn: ({ signal }) =>
      callApi(listIntakeMails, {
        query: { ...('orderId' in of ? { orderId: [of.orderId] } : { quoteId: [of.quoteId] }), perPage: 50 },
        signal,
      }),
    meta: { showsRefusals: true },
  })
  if (data === undefined || data.items.length === 0) return null
  return (
    <ul className={classes.cameIn} aria-label={t('cameIn')}>
      {data.items.map((mail) => (
        <li key={mail.id}>
          <span className={classes.dim}>{t('cameIn')}</span>
          <time dateTime={mail.receivedAt}>{format.dayTime(mail.receivedAt)}</time>
          <span>{senderOf(mail)}</span>
          <Link to={mailPath(mail.id) as string}>{mail.subject ?? mail.fileName ?? t('noSubject')}</Link>
          <OwnFile mail={mail} of={of} />
        </li>
      ))}
    </ul>
  )
}

/** The attachment that the order stands in, where the mail holds several orders. */
function OwnFile({ mail, of }: { mail: IntakeRow; of: { orderId: number } | { quoteId: number } }) {
  const attachment = 'orderId' in of ? mail.orders.find(({ id }) => id === of.orderId)?.attachment : undefined
  if (!attachment) return null
  return <FileButton id={mail.id} attachment={{ place: attachment.place, label: attachment.name }} />
}
