import { Menu } from '@mantine/core'
import { pickable } from '@waybill/contract/kit/resource'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReferences, useTitles } from '../../kit/list/reference/references.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import classes from './company-filter.module.css'
import { chooseGroupFilter, useGroupFilter } from './group-filter.ts'

const COMPANIES = pickable('companies')

/**
 * Narrows everything that an administrator sees to one of our companies (spec §7, header
 * `group-filter`). What is narrowed shows it.
 */
export function CompanyFilter() {
  const { t } = useTranslation('shell')
  const errorText = useErrorText()
  const companyId = useGroupFilter()
  const [isOpen, setOpen] = useState(false)
  const companies = useReferences(COMPANIES, '', isOpen)
  const titles = useTitles(COMPANIES, companyId === 0 ? [] : [companyId], companies.items)
  const isOn = companyId !== 0
  const words = isOn ? (titles.get(companyId) ?? '…') : t('company.all')
  return (
    <Menu position="bottom-end" width={260} opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <button
          type="button"
          className={classes.target}
          data-on={isOn || undefined}
          aria-label={t('company.label', { name: words })}
          title={isOn ? t('company.narrowed', { name: words }) : t('company.hint')}
        >
          <Icon name="building" />
          <span className={classes.words}>{words}</span>
          <Icon name="chevronDown" size={13} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {companies.error === null ? null : (
          <Menu.Item leftSection={<Icon name="refresh" />} closeMenuOnClick={false} onClick={companies.retry}>
            {errorText(companies.error)}
          </Menu.Item>
        )}
        <Menu.RadioGroup value={String(companyId)} onChange={(value) => chooseGroupFilter(Number(value))}>
          <Menu.RadioItem value="0">{t('company.all')}</Menu.RadioItem>
          {companies.items.map((company) => (
            <Menu.RadioItem key={company.id} value={String(company.id)}>
              {company.title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
