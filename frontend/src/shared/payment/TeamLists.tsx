import { useQuery } from '@tanstack/react-query';
import { seatsQuery } from '@/shared/payment/Seats';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';

/** Where the buyer of seats gives lists to their team, under /teams (study.team-lists). Renders nothing when no seat is valid. */
export function TeamLists() {
  const { data } = useQuery(seatsQuery());
  if (!data?.seats.some(({ state }) => state !== 'revoked')) return null;
  return (
    <section className="seats" aria-labelledby="team-lists-title">
      <div className="section__head">
        <h2 className="section__title" id="team-lists-title">
          Give your team a list
        </h2>
      </div>
      <p className="seats__used">
        Make a list and give it to your team: everyone who has redeemed a seat sees it, and decides whether the team sees what they have finished.
      </p>
      <LinkButton to={paths.lists}>Your lists</LinkButton>
    </section>
  );
}
