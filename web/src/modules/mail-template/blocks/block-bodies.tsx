import { Checkbox, Select, TextInput } from '@mantine/core'
import {
  CARGO_COLUMNS,
  LINK_TARGETS,
  SIGNATURE_LINES,
  STOP_COLUMNS,
  type MailBlock,
} from '@waybill/contract/mail-blocks'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { numbered } from '../numbered.ts'
import { VariableChip } from '../text/static-text.tsx'
import classes from './blocks.module.css'
import { FactRows } from './fact-rows.tsx'

type Kind = MailBlock['kind']
type BlockOf<One extends Kind> = Extract<MailBlock, { kind: One }>
type DrawnKind = Exclude<Kind, 'paragraph' | 'heading'>

const isLinkTarget = (target: string): target is (typeof LINK_TARGETS)[number] =>
  (LINK_TARGETS as readonly string[]).includes(target)

/** What a block says, in one line, while it is not in hand. */
export function BlockWords({ block }: { block: BlockOf<DrawnKind> }) {
  const { t } = useTranslation('mail-template')
  const format = useFormat()
  switch (block.kind) {
    case 'facts':
      return (
        <span className={classes.facts}>
          {numbered(block.rows).map(({ key, item: { label, variable } }) => (
            <span key={key} className={classes.fact}>
              <span>{label}</span>
              <span>
                <VariableChip name={variable} />
              </span>
            </span>
          ))}
        </span>
      )
    case 'stops':
      return t('says.stops', { columns: format.list(block.columns.map((column) => t(`stopColumn.${column}`))) })
    case 'cargo':
      return t('says.cargo', { columns: format.list(block.columns.map((column) => t(`cargoColumn.${column}`))) })
    case 'button':
      return (
        <>
          <b>{block.label === '' ? t('says.noLabel') : block.label}</b> →{' '}
          {isLinkTarget(block.target) ? t(`target.${block.target}`) : block.target}
        </>
      )
    case 'picture':
      return t('says.picture')
    case 'divider':
      return t('says.divider')
    case 'signature':
      return format.list(block.lines.map((line) => t(`signatureLine.${line}`)))
  }
}

interface BlockFieldsProps<One extends DrawnKind> {
  block: BlockOf<One>
  path: string
  onChange: (block: MailBlock) => void
}

/** The fields of the block in hand. Its first one takes the focus. */
export function BlockFields({ block, path, onChange }: BlockFieldsProps<DrawnKind>) {
  const { t } = useTranslation('mail-template')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (box.current?.closest('li')?.contains(document.activeElement)) return
    const first = box.current?.querySelector<HTMLElement>('input, button:not([data-handle])')
    ;(first ?? box.current?.closest<HTMLElement>('[role=group]'))?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={box} className={classes.fields}>
      {block.kind === 'facts' ? <FactRows block={block} path={path} onChange={onChange} /> : null}
      {block.kind === 'stops' ? (
        <Chosen
          label={t('block.stops')}
          all={STOP_COLUMNS}
          chosen={block.columns}
          nameOf={(column) => t(`stopColumn.${column}`)}
          onChange={(columns) => onChange({ ...block, columns })}
        />
      ) : null}
      {block.kind === 'cargo' ? (
        <Chosen
          label={t('block.cargo')}
          all={CARGO_COLUMNS}
          chosen={block.columns}
          nameOf={(column) => t(`cargoColumn.${column}`)}
          onChange={(columns) => onChange({ ...block, columns })}
        />
      ) : null}
      {block.kind === 'signature' ? (
        <Chosen
          label={t('block.signature')}
          all={SIGNATURE_LINES}
          chosen={block.lines}
          nameOf={(line) => t(`signatureLine.${line}`)}
          onChange={(lines) => onChange({ ...block, lines })}
        />
      ) : null}
      {block.kind === 'button' ? <ButtonFields block={block} path={path} onChange={onChange} /> : null}
      {block.kind === 'picture' || block.kind === 'divider' ? (
        <span className={classes.auto}>
          <BlockWords block={block} />
        </span>
      ) : null}
    </div>
  )
}

interface ChosenProps<Value extends string> {
  label: string
  all: readonly Value[]
  chosen: readonly Value[]
  nameOf: (value: Value) => string
  onChange: (chosen: Value[]) => void
}

/** Several of a short list, in the list's order; the last one stays. */
function Chosen<Value extends string>({ label, all, chosen, nameOf, onChange }: ChosenProps<Value>) {
  return (
    <div className={classes.choices} role="group" aria-label={label}>
      {all.map((value) => {
        const isChosen = chosen.includes(value)
        return (
          <Checkbox
            key={value}
            size="xs"
            label={nameOf(value)}
            checked={isChosen}
            disabled={isChosen && chosen.length === 1}
            onChange={() => onChange(all.filter((one) => (one === value ? !isChosen : chosen.includes(one))))}
          />
        )
      })}
    </div>
  )
}

function ButtonFields({ block, path, onChange }: BlockFieldsProps<'button'>) {
  const { t } = useTranslation('mail-template')
  const isAddress = !isLinkTarget(block.target)
  return (
    <div className={classes.pair}>
      <TextInput
        label={t('button.label')}
        name={`${path}.label`}
        value={block.label}
        maxLength={80}
        autoComplete="off"
        onChange={(event) => onChange({ ...block, label: event.currentTarget.value })}
      />
      <Select
        label={t('button.leads')}
        data={[
          ...LINK_TARGETS.map((value) => ({ value: value as string, label: t(`target.${value}`) })),
          { value: '', label: t('target.address') },
        ]}
        value={isAddress ? '' : block.target}
        allowDeselect={false}
        rightSection={<Icon name="chevronDown" size={13} />}
        rightSectionPointerEvents="none"
        onChange={(target) => onChange({ ...block, target: target === null || target === '' ? 'https://' : target })}
      />
      {isAddress ? (
        <TextInput
          label={t('button.address')}
          name={`${path}.target`}
          type="url"
          value={block.target}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => onChange({ ...block, target: event.currentTarget.value.trim() })}
        />
      ) : null}
    </div>
  )
}
