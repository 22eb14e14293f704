import { Link } from 'react-router';
import type { ProductPage } from '@/shared/payment/product';
import { Icon } from '@/ui/Icon';

/** Questions and answers. Works without JavaScript. */
export function Faq({ questions }: { questions: ProductPage['questions'] }) {
  return (
    <section className="faq" aria-labelledby="faq-title">
      <h2 className="section__title" id="faq-title">
        Questions
      </h2>
      <div className="faq__list">
        {questions.map(({ question, answer, link }) => (
          <details key={question} className="faq__item">
            <summary className="faq__question">
              <h3 className="faq__title">{question}</h3>
              <Icon name="chevronDown" />
            </summary>
            <div className="faq__answer">
              <p>{answer}</p>
              {link === null ? null : (
                <p>
                  <Link className="link" to={link.href}>
                    {link.text}
                  </Link>
                </p>
              )}
            </div>
          </details>
        ))}
      </div>
    </section>
  );
}
