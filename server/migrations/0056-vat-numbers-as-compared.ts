import { sql, type Kysely } from 'kysely'

/** A country's VAT numbers without their prefix (VIES, frequently asked questions, “VAT number structure”). */
const BARE: Readonly<Record<string, string>> = {
  AT: 'U[0-9]{8}',
  BE: '[01][0-9]{9}',
  BG: '[0-9]{9,10}',
  CY: '[0-9]{8}[A-Z]',
  CZ: '[0-9]{8,10}',
  DE: '[0-9]{9}',
  DK: '[0-9]{8}',
  EE: '[0-9]{9}',
  ES: '[A-Z][0-9]{7}[A-Z0-9]|[0-9]{8}[A-Z]',
  FI: '[0-9]{8}',
  FR: '[0-9]{11}',
  GB: '[0-9]{9}|[0-9]{12}',
  GR: '[0-9]{9}',
  HR: '[0-9]{11}',
  HU: '[0-9]{8}',
  IE: '[0-9]{7}[A-W][A-I]?',
  IT: '[0-9]{11}',
  LT: '[0-9]{9}|[0-9]{12}',
  LU: '[0-9]{8}',
  LV: '[0-9]{11}',
  MT: '[0-9]{8}',
  NL: '[0-9]{9}B[0-9]{2}',
  PL: '[0-9]{10}',
  PT: '[0-9]{9}',
  RO: '[0-9]{2,10}',
  SE: '[0-9]{12}',
  SI: '[0-9]{8}',
  SK: '[0-9]{10}',
}

/**
 * VAT numbers are stored as they are compared: capitals and digits with the country's prefix. What does not look like
 * one stays as it was typed. Where two records of a kind come to the same number, the one that is written that way, or
 * else the older one, takes it, and the others stay as they are: nothing is lost, and the start never fails.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create temporary table bare_vat_number as
    select code, case code when 'GR' then 'EL' else code end as prefix, '^(' || pattern || ')$' as pattern
    from jsonb_each_text(${sql.lit(JSON.stringify(BARE))}::jsonb) as known(code, pattern)
  `.execute(db)
  for (const name of ['customer', 'carrier_company', 'company']) {
    const table = sql.table(name)
    await sql`
      with written as (
        select record.id, record."vatNumber" as typed, country.code,
          regexp_replace(vat_number_key(record."vatNumber"), '^GR(?=[0-9])', 'EL') as key
        from ${table} record join country on country.id = record."countryId"
        where record."vatNumber" is not null
      ),
      meant as (
        select written.id, written.typed, case
            when written.key ~ '^CHE[0-9]{9}(MWST|TVA|IVA)?$'
              or (written.code = 'CH' and written.key ~ '^[0-9]{9}(MWST|TVA|IVA)?$')
              then 'CHE' || substring(written.key from '[0-9]{9}')
            when written.key ~ '^NO[0-9]{9}(MVA)?$' or (written.code = 'NO' and written.key ~ '^[0-9]{9}(MVA)?$')
              then 'NO' || substring(written.key from '[0-9]{9}') || 'MVA'
            when bare.prefix is not null then bare.prefix || written.key
            when written.key ~ '^[A-Z]{2}' and length(regexp_replace(written.key, '[^0-9]', '', 'g')) >= 5
              then written.key
          end as normal
        from written left join bare_vat_number bare on bare.code = written.code and written.key ~ bare.pattern
      ),
      placed as (
        select id, typed, normal,
          row_number() over (partition by normal order by vat_number_key(typed) = normal desc, id) as place
        from meant where normal is not null
      )
      update ${table} record set "vatNumber" = placed.normal
      from placed
      where placed.id = record.id and record."vatNumber" <> placed.normal and (
        ${sql.lit(name)} = 'company' or (placed.place = 1 and not exists (
          select 1 from ${table} other
          where other.id <> record.id and vat_number_key(other."vatNumber") = placed.normal
        ))
      )
    `.execute(db)
  }
  await sql`drop table bare_vat_number`.execute(db)
}
