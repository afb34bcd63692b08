import 'virtual:tokens.css';
import './styles.css';
