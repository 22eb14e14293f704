import { memberName, seatsText } from '@/features/study/teamList/finished';
import type { TeamList } from '@/features/study/teamList/queries';
import { formatNumber } from '@/lib/format';
import { ProgressBar } from '@/ui/ProgressBar';

/** Those of the team who share which books they have finished, each with the number of them. */
export function SharingMembers({ list: { books, members, seats } }: { list: TeamList }) {
  // What is coming soon can't be finished.
  const readable = books.filter(({ comingSoon }) => !comingSoon);
  return (
    <section className="section" aria-labelledby="members-title">
      <h2 className="section__title" id="members-title">
        Your team
      </h2>
      <p className="team-list__seats">{seatsText(members.length, seats)}</p>
      {members.length === 0 ? null : (
        <ul className="team-members">
          {members.map((member, i) => {
            const finished = readable.filter(({ id }) => member.completed.includes(id)).length;
            const text = `${formatNumber(finished)} of ${formatNumber(readable.length)}`;
            return (
              // Two members may have the same name.
              <li key={i} className="team-members__member">
                <p className="team-members__text">
                  <span className="team-members__name">{memberName(member)}</span> <span className="team-members__count tabular">{text}</span>
                </p>
                <ProgressBar label={`Finished by ${member.isYou ? 'you' : memberName(member)}`} value={finished} max={readable.length} text={text} />
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
