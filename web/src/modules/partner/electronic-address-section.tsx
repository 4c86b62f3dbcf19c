import { ADDRESS_SCHEMES } from '@waybill/contract/e-invoice/address-schemes'
import { useTranslation } from 'react-i18next'
import { FormChoice } from '../../kit/form/fields/choice-field.tsx'
import { FormText } from '../../kit/form/fields/fields.tsx'

/** What a kind of electronic address is called, by its code of the list EAS; a code that is unknown stays itself. */
export function useSchemeName(): (code: string) => string {
  const { t, i18n } = useTranslation('e-invoice-out')
  const regions = new Intl.DisplayNames(i18n.language, { type: 'region' })
  return (code) => {
    const scheme = ADDRESS_SCHEMES.find((one) => one.code === code)
    if (scheme === undefined) return code
    const { kind, countryCode } = scheme
    return t(`scheme.${kind}`, { country: countryCode === undefined ? '' : regions.of(countryCode) })
  }
}

/** Kind and value of an electronic address, two fields of the form around it. */
export function ElectronicAddressFields({ hint }: { hint: string }) {
  const { t } = useTranslation('e-invoice-out')
  const nameOf = useSchemeName()
  return (
    <>
      <div data-half>
        <FormChoice
          name="eInvoiceScheme"
          label={t('fields.eInvoiceScheme')}
          isSearched
          isClearable
          choices={ADDRESS_SCHEMES.map(({ code }) => ({ value: code, label: `${nameOf(code)} (${code})` }))}
        />
      </div>
      <div data-half>
        <FormText
          name="eInvoiceAddress"
          label={t('fields.eInvoiceAddress')}
          hint={hint}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
    </>
  )
}
