ALTER TABLE "account"."renewal_dismissals" RENAME COLUMN "subscription_id" TO "subject";--> statement-breakpoint
ALTER TABLE "account"."renewal_dismissals" DROP CONSTRAINT "renewal_dismissals_subscription_id_subscriptions_id_fk";
--> statement-breakpoint
ALTER TABLE "account"."renewal_dismissals" DROP CONSTRAINT "renewal_dismissals_member_id_subscription_id_reason_pk";--> statement-breakpoint
ALTER TABLE "account"."renewal_dismissals" ADD CONSTRAINT "renewal_dismissals_member_id_subject_reason_pk" PRIMARY KEY("member_id","subject","reason");