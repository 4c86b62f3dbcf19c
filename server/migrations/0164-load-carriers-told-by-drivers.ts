import { sql, type Kysely } from 'kysely'

/** Drivers tell by their link which load carriers were exchanged at a stop (decisions 109 and 110). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table driver_report
      drop constraint driver_report_kind_check,
      drop constraint driver_report_check3,
      add exchange jsonb,
      add constraint driver_report_kind_check check (kind in ('arrived', 'loaded', 'unloaded', 'remark', 'damage',
        'loadCarriers', 'cmr', 'pallets', 'damagePicture', 'signature')),
      add constraint written_report_kinds check (not "isWritten" or kind in
        ('arrived', 'loaded', 'unloaded', 'loadCarriers')),
      add constraint exchange_of_load_carriers check ((exchange is not null) = (kind = 'loadCarriers'))
  `.execute(db)
  // The last one of a stop is asked for beside what stands there.
  await sql`create index on driver_report ("locationId", at desc, id desc) where kind = 'loadCarriers'`.execute(db)
  // What was told takes the place of what was told before, and never of what staff have saved.
  await sql`alter table load_carrier_stop add "isTold" boolean not null default false`.execute(db)
}
