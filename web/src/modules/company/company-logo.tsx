import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getCompanyLogo, LOGO_LIMITS, putCompanyLogo, type Company } from '@waybill/contract/company'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { keptOf } from '../../kit/api/kept-data.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import classes from './company.module.css'
import { dataUrlOf, logoFrom } from './logo-picture.ts'

interface CompanyLogoProps {
  /** Null for a company that is still to be made */
  company: Company | null
  onChanged: (company: Company) => void
  /** Shows a refusal in the form's own place; true where it did. */
  takeRefusal: (error: unknown) => boolean
}

/** The picture at the head of a company's documents. It is kept at once, not with the form. */
export function CompanyLogo({ company, onChanged, takeRefusal }: CompanyLogoProps) {
  const { t } = useTranslation('company')
  const errorText = useErrorText()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  if (company === null) return <p className={classes.none}>{t('logo.saveFirst')}</p>

  const put = async (read: () => Promise<string | null>) => {
    setBusy(true)
    setProblem(null)
    try {
      onChanged(
        await callApi(putCompanyLogo, {
          params: { id: company.id },
          body: { png: await read() },
          version: company.version,
        }),
      )
    } catch (error) {
      if (error instanceof DOMException) setProblem(t('logo.unreadable'))
      else if (!takeRefusal(error)) setProblem(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes.logo} data-path="png">
      {company.hasLogo ? <Picture company={company} /> : <p className={classes.none}>{t('logo.none')}</p>}
      <div className={classes.logoActions}>
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          aria-label={t('logo.choose')}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            event.currentTarget.value = ''
            if (file !== undefined) void put(() => logoFrom(file, LOGO_LIMITS.kilobytes * 1000))
          }}
        />
        <Button
          size="compact-sm"
          leftSection={<Icon name="upload" size={13} />}
          loading={isBusy}
          onClick={() => input.current?.click()}
        >
          {t('logo.choose')}
        </Button>
        {company.hasLogo ? (
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={isBusy}
            onClick={() => void put(() => Promise.resolve(null))}
          >
            {t('logo.remove')}
          </Button>
        ) : null}
        <span className={classes.none}>{t('logo.means')}</span>
      </div>
      {problem === null ? null : (
        <Notice tone="danger" isUrgent>
          {problem}
        </Notice>
      )}
    </div>
  )
}

function Picture({ company }: { company: Company }) {
  const { t } = useTranslation('company')
  const { data, error, refetch } = useQuery({
    queryKey: ['company-logo', company.id, company.version],
    placeholderData: keptOf('company-logo', company.id),
    queryFn: async ({ signal }) =>
      dataUrlOf((await callFile(getCompanyLogo, { params: { id: company.id }, signal })).blob),
    meta: { showsRefusals: true },
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  return <img src={data} className={classes.picture} alt={t('logo.of', { title: company.title })} />
}
