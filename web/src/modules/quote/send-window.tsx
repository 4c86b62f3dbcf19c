import { useMutation, useQuery } from '@tanstack/react-query'
import { previewQuote, sendQuote, type Quote } from '@waybill/contract/quote/quote'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useIntention } from '../../kit/api/use-intention.ts'
import { SendMailSection } from '../email/send-mail-section.tsx'
import { PaperButton } from './paper-button.tsx'
import classes from './quote.module.css'

interface SendWindowProps {
  quote: Quote
  onSent: (quote: Quote) => void
  onClose: () => void
}

/** A quote as its customer will read it; sending it is the confirmation. */
export function SendWindow({ quote, onSent, onClose }: SendWindowProps) {
  const { t } = useTranslation('quote')
  const mail = useQuery({
    queryKey: ['quotes', quote.id, 'mail', quote.version],
    queryFn: ({ signal }) => callApi(previewQuote, { params: { id: quote.id }, signal }),
    meta: { showsRefusals: true },
    gcTime: 0,
  })
  const keyOf = useIntention()
  const send = useMutation({
    mutationFn: (to: string) => {
      const { id, version } = quote
      return callApi(sendQuote, { params: { id }, version, body: { to }, idempotencyKey: keyOf(to) })
    },
    onSuccess: onSent,
  })
  return (
    <SendMailSection
      of={{ path: 'quotes/mail', id: quote.id }}
      title={t('send.title', { number: quote.number })}
      sendLabel={t('send.send')}
      mail={mail}
      send={send}
      hint={t('send.means')}
      onClose={onClose}
    >
      <p className={classes.paper}>
        <span className={classes.dim}>{t('send.paper')}</span> <PaperButton quote={quote} isSmall />
      </p>
    </SendMailSection>
  )
}
